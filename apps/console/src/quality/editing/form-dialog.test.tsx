import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { TextField } from '../../design/controls/text-field';
import { FakeServer } from '../../testing/fake-server.fixture';
import { renderComponent } from '../../testing/render.fixture';
import { useUserName } from '../../server/session/use-session';
import { FormDialog } from './form-dialog';

const FORM = 'new gauge';
const onClose = jest.fn();

function NewGauge() {
  const [name, setName] = useState('');
  return (
    <FormDialog
      title="New gauge"
      action="Create"
      canSubmit={name !== ''}
      error={null}
      onSubmit={onClose}
      onClose={onClose}
      draft={{ form: FORM, value: { name }, onRestore: (kept) => setName(kept.name) }}
    >
      <TextField label="Name" value={name} onChange={setName} autoFocus />
    </FormDialog>
  );
}

const TEXTS = {
  en: { cancel: 'Cancel', question: 'Discard what you typed?', discard: 'Discard', leave: 'Leave without saving?', stay: 'Stay' },
  de: {
    cancel: 'Abbrechen',
    question: 'Verwerfen, was Sie eingegeben haben?',
    discard: 'Verwerfen',
    leave: 'Verlassen, ohne zu speichern?',
    stay: 'Bleiben',
  },
} as const;
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name', hidden: true });
const question = (language: 'en' | 'de') => screen.queryByRole('alertdialog', { name: TEXTS[language].question });
const WAYS: readonly [string, (language: 'en' | 'de') => Promise<unknown>][] = [
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['the button', (language) => userEvent.click(screen.getByRole('button', { name: TEXTS[language].cancel }))],
  ['a press outside', () => userEvent.click(document.body.querySelector('[class*="underlay"]') ?? document.body)],
];

describe.each(['en', 'de'] as const)('a dialog with a form: %s', (language) => {
  beforeEach(() => {
    sessionStorage.clear();
    onClose.mockClear();
  });

  it.each(WAYS)('closes at once by %s where nothing was typed', async (_, leave) => {
    await renderComponent(<NewGauge />, { language });
    await leave(language);
    expect(onClose).toHaveBeenCalledTimes(1);
    expect(question(language)).toBeNull();
  });

  it.each(WAYS)('asks first when it is left by %s with a text', async (_, leave) => {
    await renderComponent(<NewGauge />, { language });
    await userEvent.type(field(), 'Micrometer');
    await leave(language);
    expect(question(language)).not.toBeNull();
    expect(onClose).not.toHaveBeenCalled();
    expect(field().value).toBe('Micrometer');
  });

  it('stays or is discarded by keyboard alone', async () => {
    await renderComponent(<NewGauge />, { language });
    await userEvent.keyboard('Micrometer{Escape}');
    await waitFor(() => expect(question(language)?.contains(document.activeElement)).toBe(true));
    // The first button, which has the focus, stays.
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(question(language)).toBeNull());
    expect(onClose).not.toHaveBeenCalled();
    expect(field().value).toBe('Micrometer');
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(question(language)?.contains(document.activeElement)).toBe(true));
    await userEvent.keyboard('{Tab}');
    expect(document.activeElement?.textContent).toBe(TEXTS[language].discard);
    await userEvent.keyboard('{Enter}');
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('asks before another page takes its place', async () => {
    const { router } = await renderComponent(<NewGauge />, { language });
    await userEvent.type(field(), 'Micrometer');
    act(() => void router.navigate({ to: '/elsewhere' }));
    const asked = await screen.findByRole('alertdialog', { name: TEXTS[language].leave });
    await userEvent.click(within(asked).getByRole('button', { name: TEXTS[language].stay }));
    expect(router.state.location.pathname).toBe('/');
    expect(field().value).toBe('Micrometer');
  });
});

it('offers what was typed before a sign-in that has left the page', async () => {
  sessionStorage.setItem('sinebar.drafts', JSON.stringify({ [FORM]: { user: 'anna', value: { name: 'Micrometer' } } }));
  const server = new FakeServer({ 'GET /dataServiceRest/permissions': () => ({ userName: 'anna', partRights: {}, serverRights: [] }) });
  const { session } = await renderComponent(<SignedIn />, { server });
  await act(() => session.begin());
  await userEvent.click(await screen.findByRole('button', { name: 'Continue with it' }));
  expect(field().value).toBe('Micrometer');
});

/** The dialog of somebody who has signed in. */
function SignedIn() {
  return useUserName() === 'anna' && <NewGauge />;
}
