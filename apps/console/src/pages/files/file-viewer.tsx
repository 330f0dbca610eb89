import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from '../../design/controls/button';
import { useTexts } from '../../design/language/language';
import type { ContentSource } from '../../quality/viewers/content-source';
import { ContentViewer } from '../../quality/viewers/content-viewer';
import styles from './files.module.css';
import { texts } from './texts';

export interface FileViewerProps {
  source: ContentSource;
  onDownload: () => void;
  onClose: () => void;
}

/** A file, or an entry of an archive, in the size of the window. */
export function FileViewer({ source, onDownload, onClose }: FileViewerProps) {
  const t = useTexts(texts);
  return (
    <ModalOverlay isOpen isDismissable className={styles.overlay} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className={styles.modal}>
        <Dialog className={styles.viewer}>
          <div className={styles.viewerHead}>
            <Heading slot="title" level={2} className={styles.viewerName}>
              {source.fileName}
            </Heading>
            <span className={styles.viewerActions}>
              <Button onPress={onDownload}>{t.download}</Button>
              <Button onPress={onClose}>{t.close}</Button>
            </span>
          </div>
          <div className={styles.viewerBody}>
            <ContentViewer source={source} />
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
