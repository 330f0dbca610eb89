import styles from './logo.module.css';

/** The logo of the company, as the server names it; resolved once, since the address of the page changes. */
const given = document.querySelector<HTMLMetaElement>('meta[name="sinebar-logo"]');
const address = given && new URL(given.content, document.baseURI).href;

/** The logo of the company, or the name of Sinebar behind its mark: a sine bar on a surface plate. */
export function Brand() {
  if (address !== null) return <CompanyLogo name="Sinebar" />;
  return (
    <>
      <Mark />
      Sinebar
    </>
  );
}

/** The logo of the company, or the mark of Sinebar. */
export function Logo() {
  return address === null ? <Mark /> : <CompanyLogo />;
}

function Mark() {
  return (
    <svg className={styles.mark} viewBox="0 0 24 20" aria-hidden="true" width="24" height="20" fill="currentColor">
      <path d="M1 18h22v1.5H1zM15.6 11.6h5.8v5.2h-5.8z" />
      <circle cx="5" cy="14.4" r="2.4" />
      <circle cx="18.5" cy="8.2" r="2.4" />
      <path d="M1.6 12 20.9 3.1l1.2 2.5L2.8 14.5z" transform="translate(-.4 -2.6)" />
    </svg>
  );
}

/** The logo of the company, where the server has one. */
export function CompanyLogo({ name = '' }: { name?: string }) {
  return address !== null && <img className={styles.logo} src={address} alt={name} />;
}
