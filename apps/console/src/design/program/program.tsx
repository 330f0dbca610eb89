import { useContext, useState } from 'react';
import { Button, Dialog, DialogTrigger, Heading, Modal, ModalOverlay, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { fileNameOf, saveFile } from '../export/save-file';
import { useTexts } from '../language/language';
import {
  addressOf,
  FILE_ENDINGS,
  LANGUAGE_NAMES,
  PROGRAM_LANGUAGES,
  programOf,
  textOf,
  type Program,
  type ProgramLanguage,
  type ProgramOptions,
  type ProgramRequest,
} from './program-request';
import { useServerAddress } from './server-address';
import { shortened } from './shortened';
import { ProgramSignInContext } from './sign-in-context';
import { texts } from './program-texts';
import styles from './program.module.css';

export interface AsProgramProps {
  /** Requests of the page; the first one is written out, the others are listed. */
  requests: readonly ProgramRequest[];
  /** Answer to the first request, where the page has it. */
  answer?: unknown;
}

/** Opens a drawer with the data of the page as curl, Python, JavaScript and C#. */
export function AsProgram({ requests, answer }: AsProgramProps) {
  const t = useTexts(texts);
  const options = { server: useServerAddress(), signIn: useContext(ProgramSignInContext) };
  const [first, ...others] = requests;
  if (first === undefined) return null;
  return (
    <DialogTrigger>
      <Button className={styles.open}>{t.asProgram}</Button>
      <ModalOverlay isDismissable className={styles.overlay}>
        <Modal className={styles.drawer}>
          <Dialog className={styles.dialog}>
            {({ close }) => (
              <>
                <Drawer request={first} options={options} onClose={close} />
                {answer !== undefined && (
                  <section>
                    <h3 className={styles.heading}>{t.answer}</h3>
                    <pre className={styles.answer}>{shortened(answer)}</pre>
                  </section>
                )}
                {others.length > 0 && <Others requests={others} options={options} />}
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}

function Drawer({ request, options, onClose }: { request: ProgramRequest; options: ProgramOptions; onClose: () => void }) {
  const t = useTexts(texts);
  const [language, setLanguage] = useState<ProgramLanguage>('curl');
  const program = (of: ProgramLanguage) => programOf(of, request, options);
  return (
    <>
      <div className={styles.head}>
        <Heading slot="title" className={styles.title}>
          {t.asProgram}
        </Heading>
        <CopyButton text={textOf(program(language))} name={t.copy} />
        <Button
          className={styles.action}
          onPress={() =>
            saveFile(fileNameOf([request.title], FILE_ENDINGS[language]), textOf(program(language)), 'text/plain;charset=utf-8')
          }
        >
          {t.save}
        </Button>
        <Button className={styles.action} onPress={onClose}>
          {t.close} <kbd className={styles.key}>Esc</kbd>
        </Button>
      </div>
      <Tabs selectedKey={language} onSelectionChange={(key) => setLanguage(key as ProgramLanguage)}>
        <div className={styles.languages}>
          <TabList aria-label={t.languages} className={styles.tabs}>
            {PROGRAM_LANGUAGES.map((name) => (
              <Tab key={name} id={name} className={styles.tab}>
                {LANGUAGE_NAMES[name]}
              </Tab>
            ))}
          </TabList>
          <p className={styles.note}>{t.underlined}</p>
        </div>
        {PROGRAM_LANGUAGES.map((name) => (
          <TabPanel key={name} id={name}>
            <ProgramText program={program(name)} />
          </TabPanel>
        ))}
      </Tabs>
    </>
  );
}

function ProgramText({ program }: { program: Program }) {
  return (
    <pre className={styles.program}>
      <code>
        {program.map((line, i) => (
          <span key={i}>
            {line.map(({ text, kind }, word) => {
              if (kind === 'keyword') return <b key={word}>{text}</b>;
              if (kind === 'comment') return <i key={word}>{text}</i>;
              return kind === 'chosen' ? <u key={word}>{text}</u> : text;
            })}
            {'\n'}
          </span>
        ))}
      </code>
    </pre>
  );
}

function Others({ requests, options }: { requests: readonly ProgramRequest[]; options: ProgramOptions }) {
  const t = useTexts(texts);
  return (
    <section>
      <h3 className={styles.heading}>{t.others}</h3>
      <ul>
        {requests.map((request) => (
          <li key={request.path + request.title} className={styles.request}>
            <code>…/{request.path.split('/').at(-1)}</code>
            <span className={styles.note}>{request.title}</span>
            <CopyButton text={`${options.server}${addressOf(request)}`} name={t.copy} label={t.copyOf(request.title)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Time for which a button says that it has copied, ms. */
const COPIED_MS = 2000;

function CopyButton({ text, name, label }: { text: string; name: string; label?: string }) {
  const t = useTexts(texts);
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
      setTimeout(() => setState('ready'), COPIED_MS);
    } catch {
      setState('failed');
    }
  };
  return (
    <>
      <Button
        className={styles.action}
        onPress={() => void copy()}
        {...(label !== undefined && state === 'ready' && { 'aria-label': label })}
      >
        {state === 'copied' ? t.copied : name}
      </Button>
      {state === 'failed' && (
        <span role="alert" className={styles.note}>
          {t.notCopied}
        </span>
      )}
    </>
  );
}
