/** The mark of Sinebar: a sine bar on a surface plate. */
export function Logo({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 24 20" aria-hidden="true" width="24" height="20" fill="currentColor">
      <path d="M1 18h22v1.5H1zM15.6 11.6h5.8v5.2h-5.8z" />
      <circle cx="5" cy="14.4" r="2.4" />
      <circle cx="18.5" cy="8.2" r="2.4" />
      <path d="M1.6 12 20.9 3.1l1.2 2.5L2.8 14.5z" transform="translate(-.4 -2.6)" />
    </svg>
  );
}
