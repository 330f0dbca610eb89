/**
 * Opens a file in a tab of its own. The tab opens at once, since browsers let only the press itself open one.
 * The address of the file lives as long as this page, so that the tab can be loaded again and its file saved.
 * @throws Error where the browser lets no tab open
 */
export async function openFile(read: () => Promise<Blob>, texts: { waiting: string; blocked: string }): Promise<void> {
  const tab = window.open('', '_blank');
  if (tab === null) throw new Error(texts.blocked);
  tab.document.title = texts.waiting;
  tab.document.body.textContent = texts.waiting;
  try {
    tab.location.replace(URL.createObjectURL(await read()));
  } catch (error) {
    tab.close();
    throw error;
  }
}
