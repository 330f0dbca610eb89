import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { LanguageProvider } from '../../design/language/language';
import { layOut } from '../../testing/layout.fixture';
import type { ContentSource } from './content-source';
import { ContentViewer } from './content-viewer';

beforeAll(layOut);
afterEach(cleanup);

const MB = 1_000_000;

function show(source: Partial<ContentSource>, language: 'en' | 'de' = 'en') {
  const whole: ContentSource = {
    id: 'a',
    fileName: 'a.txt',
    mimeType: '',
    sizeBytes: undefined,
    open: () => Promise.reject(new Error('It is not to be read.')),
    ...source,
  };
  return render(
    <LanguageProvider language={language}>
      <QueryClientProvider client={new QueryClient()}>
        <ContentViewer source={whole} />
      </QueryClientProvider>
    </LanguageProvider>,
  );
}
const answering = (body: BodyInit, headers = {}) => ({ open: () => Promise.resolve(new Response(body, { headers })) });
const said = async () => (await screen.findByRole('status')).textContent;

describe('a content', () => {
  it('of a text is shown', async () => {
    show({ ...answering('Nest 3\nis worn') });
    expect((await screen.findByRole('region', { name: 'a.txt' })).textContent).toBe('Nest 3\nis worn');
  });

  it('of a table is shown in rows', async () => {
    show({ fileName: 'a.csv', ...answering('Name;Value\nGap;1,5\n') });
    expect(await screen.findByRole('columnheader', { name: 'Value' })).toBeTruthy();
    expect(screen.getByRole('cell', { name: '1,5' })).toBeTruthy();
    expect(screen.getByText('1 row, 2 columns')).toBeTruthy();
  });

  it('of a long text is asked for in part, and says so', async () => {
    const asked: unknown[] = [];
    show({
      sizeBytes: 100 * MB,
      open: ({ first }) => {
        asked.push(first);
        return Promise.resolve(new Response('a'.repeat(2000)));
      },
    });
    expect(await screen.findByText('The first 2.0 kB of 100.0 MB are shown; download the file to see the rest.')).toBeTruthy();
    expect(asked).toEqual([MB]);
  });

  it.each<[what: string, source: Partial<ContentSource>, sentence: RegExp]>([
    ['is empty', { sizeBytes: 0 }, /^This file is empty/],
    ['turns out to be empty', answering(''), /^This file is empty/],
    ['is no text', answering('a\0b'), /^This is no text/],
    ['has no viewer', { fileName: 'a.step', mimeType: 'model/step' }, /cannot be shown in the page/],
    [
      'is larger than the memory of the page',
      { fileName: 'a.stl', sizeBytes: 600 * MB },
      /^This file has 600\.0\sMB; the page shows files of up to/,
    ],
  ])('that %s is told in a sentence', async (_what, source, sentence) => {
    show(source);
    await waitFor(async () => expect(await said()).toMatch(sentence));
  });

  it('speaks German', async () => {
    show({ sizeBytes: 0 }, 'de');
    expect(await said()).toBe('Diese Datei ist leer.');
  });

  it('that the server refuses says why, and is asked for again', async () => {
    let attempts = 0;
    show({
      open: () => {
        attempts++;
        return attempts === 1 ? Promise.reject(new Error('The token has expired.')) : Promise.resolve(new Response('there'));
      },
    });
    expect((await screen.findByRole('alert')).textContent).toContain('The token has expired.');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('there')).toBeTruthy();
  });
});

describe('a large content', () => {
  /** Gives one byte and then waits until it is no longer wanted. */
  function endless() {
    let isCancelled = false;
    const open: ContentSource['open'] = ({ signal }) => {
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(Uint8Array.of(1));
          signal.addEventListener('abort', () => {
            isCancelled = true;
            controller.error(signal.reason);
          });
        },
      });
      return Promise.resolve(new Response(stream, { headers: { 'Content-Length': String(200 * MB) } }));
    };
    return { open, isCancelled: () => isCancelled };
  }

  it.each([
    ['a file', 200 * MB],
    ['an entry of an archive', undefined],
  ])('of %s is read when the reader wants it, with its progress, until it is cancelled', async (_what, sizeBytes) => {
    const { open, isCancelled } = endless();
    show({ fileName: 'a.stl', sizeBytes, open });
    expect(await screen.findByText('This file has 200.0 MB and is not read by itself.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Show it anyway' }));
    expect(await screen.findByText('1 B of 200.0 MB read')).toBeTruthy();
    expect(screen.getByRole('progressbar', { name: 'Reading a.stl' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByRole('button', { name: 'Show it anyway' })).toBeTruthy();
    expect(isCancelled()).toBe(true);
  });
});
