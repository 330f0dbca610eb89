/** A tab that the browser opens, which notes where it is led. */
export function openFakeTab() {
  const tab = {
    document: document.implementation.createHTMLDocument(),
    addresses: [] as string[],
    isClosed: false,
    location: { replace: (address: string) => tab.addresses.push(address) },
    close: () => {
      tab.isClosed = true;
    },
  };
  window.open = () => tab as unknown as Window;
  return tab;
}
