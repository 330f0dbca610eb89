import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import styles from './controls.module.css';

export interface DialogProps {
  title: ReactNode;
  isOpen: boolean;
  /** Closes the dialog; without it the reader has to answer. */
  onClose?: () => void;
  /** `alertdialog`: the reader has to answer before something is destroyed. */
  role?: 'dialog' | 'alertdialog';
  /** Whether it takes most of the window. */
  isWide?: boolean;
  /** Buttons at the foot, the wanted one last. */
  buttons?: ReactNode;
  children?: ReactNode;
}

/** A row of buttons at the foot of a dialog. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}

/** A dialog above the page. Escape closes it where it may be closed; the focus returns to what opened it. */
export function Dialog({ title, isOpen, onClose, role = 'dialog', isWide = false, buttons, children }: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose?.()}
      isDismissable={role === 'dialog'}
      isKeyboardDismissDisabled={onClose === undefined}
      className={styles.underlay}
    >
      <Modal>
        <AriaDialog role={role} className={isWide ? `${styles.dialog} ${styles.wide}` : styles.dialog}>
          <Heading slot="title" level={2} className={styles.dialogTitle}>
            {title}
          </Heading>
          {children}
          {buttons !== undefined && <DialogButtons>{buttons}</DialogButtons>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
