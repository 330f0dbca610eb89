import type { ContentSource } from './content-source';
import type { Content } from './read-content';

/** What every viewer shows. */
export interface ViewerProps {
  source: ContentSource;
  content: Content;
}
