import { Dialog as AriaDialog, Modal, ModalOverlay } from 'react-aria-components';
import { useTexts } from '../../design/language/language';
import { Content } from './palette-content';
import styles from './palette.module.css';
import { texts } from './texts';

/** Finds parts, characteristics, measurements, files and pages by name, number or date. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  return (
    <ModalOverlay isOpen onOpenChange={(open) => open || onClose()} isDismissable className={styles.underlay}>
      <Modal>
        <AriaDialog aria-label={t.find} className={styles.palette}>
          <Content onClose={onClose} />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
