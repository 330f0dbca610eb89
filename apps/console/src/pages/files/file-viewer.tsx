import type { RawDataInformation } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from '../../design/controls/button';
import { useTexts } from '../../design/language/language';
import { Pane } from '../../design/states/pane-state';
import { fileKind } from '../../quality/files/file-kind';
import { fileId } from '../../quality/files/file-targets';
import { BlobFrame, BlobImage } from '../../quality/files/blob-elements';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import styles from './files.module.css';
import { texts } from './texts';
import textStyles from '../../design/styles/text.module.css';

/** Longest text that is shown, bytes. */
const MAX_TEXT_BYTES = 1_000_000;

/** A file in the size of the window: a picture, a PDF in the browser's own viewer, or a text. */
export function FileViewer({ file, onClose }: { file: RawDataInformation; onClose: () => void }) {
  const t = useTexts(texts);
  const server = useServer();
  const kind = fileKind(file);
  const content = useQuery({
    queryKey: queryKeys.files('content', fileId(file), file.md5),
    queryFn: async ({ signal }) => {
      const range = kind === 'text' && file.size > 0 ? { range: { first: 0, last: MAX_TEXT_BYTES - 1 } } : {};
      const bytes = await (await server.rawData.download(file.target, file.key, { ...range, signal })).arrayBuffer();
      // The type is one that runs no scripts, whatever the file says of itself.
      return new Blob([bytes], { type: kind === 'pdf' ? 'application/pdf' : kind === 'picture' ? file.mimeType : 'text/plain' });
    },
    gcTime: 0,
  });
  return (
    <ModalOverlay isOpen isDismissable className={styles.overlay} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className={styles.modal}>
        <Dialog className={styles.viewer}>
          <div className={styles.viewerHead}>
            <Heading slot="title" level={2} className={textStyles.heading}>
              {file.fileName}
            </Heading>
            <Button onPress={onClose}>{t.close}</Button>
          </div>
          <div className={styles.viewerBody}>
            <Pane query={content}>{(blob) => <Content blob={blob} file={file} />}</Pane>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Content({ blob, file }: { blob: Blob; file: RawDataInformation }) {
  const kind = fileKind(file);
  const text = useQuery({
    queryKey: queryKeys.files('text', fileId(file), file.md5),
    queryFn: () => blob.text(),
    enabled: kind === 'text',
    gcTime: 0,
  });
  if (kind === 'text') {
    return (
      <pre tabIndex={0}>
        <code>{text.data}</code>
      </pre>
    );
  }
  return kind === 'pdf' ? <BlobFrame blob={blob} title={file.fileName} /> : <BlobImage blob={blob} alt={file.fileName} />;
}
