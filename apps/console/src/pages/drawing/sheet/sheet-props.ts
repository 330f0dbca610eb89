import type { ViewerProps } from '../../../quality/viewers/content-viewer-props';

/** Properties of the components that draw the sheet below the balloons. */
export interface SheetProps extends ViewerProps {
  /** Pixels of the screen for one of the drawing. */
  scale: number;
  /** Called with the size of the drawing at scale 1, px. */
  onSize: (size: { width: number; height: number }) => void;
}
