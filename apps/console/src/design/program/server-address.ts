import { useRouter } from '@tanstack/react-router';

/** Address of the server: the console lies in its folder `console`. */
export function useServerAddress(): string {
  const { basepath } = useRouter();
  return `${location.origin}${basepath.replace(/\/?(?:console)?\/?$/, '')}`;
}
