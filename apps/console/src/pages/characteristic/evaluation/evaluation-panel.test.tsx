import { describe, expect, it } from '@jest/globals';
import type { Evaluation } from '@sinebar/client';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { useSession } from '../../../server/session/use-session';
import { evaluationAnswer, PART_UUID, summaryAnswer } from '../../../testing/analysis-answers.fixture';
import { FakeServer, refusal } from '../../../testing/fake-server.fixture';
import { renderComponent } from '../../../testing/render.fixture';
import type { CharacteristicSearch } from '../search';
import type { CharacteristicData } from '../use-characteristic';
import { EvaluationButton } from './evaluation-panel';

const MEASUREMENT = '91ab4d20-0000-4000-8000-000000000012';
const EXCLUDED = { measurementUuid: MEASUREMENT, reason: 'dropped', user: 'Ann', time: '2026-03-02T09:00:00Z' };
const OF_CHARACTERISTIC = '/analysisServiceRest/characteristics/:uuid/evaluation';
const DATA = {
  leftOut: [{ measurementUuid: MEASUREMENT, time: '2026-03-02T08:10:00Z', value: 20.03 }],
  decimals: 3,
  unit: 'mm',
} as unknown as CharacteristicData;

interface Given {
  evaluation?: Partial<Evaluation>;
  search?: CharacteristicSearch;
  rights?: Readonly<Record<string, readonly string[]>>;
  history?: readonly object[];
  /** Whether the page opens the panel, since it was open before a sign-in. */
  isBegun?: boolean;
}

/** Shows its content once the reader is known, as the page does. */
function SignedIn({ children }: { children: ReactNode }) {
  return useSession().state.step === 'signed-in' && children;
}

/** Opens the panel of a characteristic; `sent` lists the bodies that are stored. */
async function open({ evaluation = {}, search = {}, rights = { 'plan:write': ['/'] }, history = [], isBegun = false }: Given = {}) {
  const sent: unknown[] = [];
  const server = new FakeServer({
    [`GET ${OF_CHARACTERISTIC}`]: () => evaluationAnswer(evaluation),
    [`PUT ${OF_CHARACTERISTIC}`]: ({ body }) => void sent.push(body),
    [`GET ${OF_CHARACTERISTIC}/history`]: () => history,
    'GET /analysisServiceRest/parts/:uuid/evaluation': () => evaluationAnswer({ model: 'weibull' }),
    'GET /dataServiceRest/permissions': () => ({ userName: 'Ann', partRights: rights, serverRights: [] }),
  });
  const button = <EvaluationButton summary={summaryAnswer()} search={search} data={DATA} />;
  const rendered = await renderComponent(<SignedIn>{button}</SignedIn>, { server });
  await act(() => rendered.session.begin());
  if (!isBegun) await press('Evaluation');
  await screen.findByRole('dialog', { name: 'Evaluation of Gap left' });
  return { ...rendered, sent };
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const say = async (reason: string) => userEvent.type(screen.getByRole('textbox', { name: 'Reason for the change' }), reason);

describe('the panel of the evaluation', () => {
  it('stores a member of the characteristic with a reason, and keeps what it does not show', async () => {
    const { sent } = await open({ evaluation: { own: { owner: 'Bob' } } });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Model: set here' }));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Model' }), 'normal');
    expect(screen.getByText(/say why you change it/)).toBeDefined();
    await say('few values');
    await press('Save for everybody');
    await waitFor(() => expect(sent).toEqual([{ owner: 'Bob', model: 'normal', reason: 'few values' }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('follows the part again, and says what that means', async () => {
    const { sent } = await open({ evaluation: { model: 'normal', required: 1.67, own: { model: 'normal', required: 1.67 } } });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Model: set here', checked: true }));
    expect(within(screen.getByRole('group', { name: 'Model' })).getByText(/Weibull/)).toBeDefined();
    await say('as the others');
    await press('Save for everybody');
    await waitFor(() => expect(sent).toEqual([{ required: 1.67, reason: 'as the others' }]));
  });

  it('lists what is left out with value, reason, user and time, and includes it again', async () => {
    const { sent } = await open({ evaluation: { exclusions: [EXCLUDED], own: { exclusions: [EXCLUDED], required: 2 } } });
    const rows = await screen.findByRole('region', { name: 'Excluded values' });
    expect(rows.textContent).toMatch(/20\.030 mm.*dropped.*Ann.*2 Mar 2026/);
    await press(/^Include 20\.030 mm.* again$/);
    await say('measured again');
    await press('Save for everybody');
    await waitFor(() => expect(sent).toEqual([{ required: 2, reason: 'measured again' }]));
  });

  it('takes over what a view has tried', async () => {
    const { sent, router } = await open({ search: { rules: 'nelson1,nelson5', newest: 50 } });
    await press('Take over from this view');
    await say('finds drifts');
    await press('Save for everybody');
    await waitFor(() => expect(sent).toEqual([{ rules: ['nelson1', 'nelson5'], reason: 'finds drifts' }]));
    await waitFor(() => expect(router.state.location.search).toEqual({ newest: 50 }));
  });

  it('shows both sides when somebody else has saved the same member meanwhile', async () => {
    const { server, sent } = await open({ evaluation: { own: { required: 1.33 } } });
    server.answer(`PUT ${OF_CHARACTERISTIC}`, () => {
      server.answer(`GET ${OF_CHARACTERISTIC}`, () => evaluationAnswer({ own: { required: 1.5, model: 'gamma' } }));
      server.answer(`PUT ${OF_CHARACTERISTIC}`, ({ body }) => void sent.push(body));
      return refusal(412, 'PreconditionFailed', 'Changed meanwhile.');
    });
    const field = await screen.findByRole('textbox', { name: 'Required index' });
    await userEvent.clear(field);
    await userEvent.type(field, '2');
    await say('customer');
    await press('Save for everybody');
    const conflict = await screen.findByRole('table', { name: 'Changed by somebody else meanwhile' });
    expect(
      within(conflict)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent)
        .slice(0, 3),
    ).toEqual(['1.33', '1.5', '2']);
    await press('Keep yours for Required index');
    await press('Save for everybody');
    await waitFor(() => expect(sent).toEqual([{ required: 2, model: 'gamma', reason: 'customer' }]));
  });

  it('restores a state of the history', async () => {
    const history = [
      { revision: 2, time: '2026-03-03T08:00:00Z', user: 'Bob', reason: 'try', state: { required: 1.5 } },
      { revision: 1, time: '2026-03-02T08:00:00Z', user: 'Ann', reason: 'begin', state: { required: 1.33, rules: ['nelson1'] } },
    ];
    const { sent } = await open({ evaluation: { own: { required: 1.5 } }, history });
    expect((await screen.findByRole('region', { name: 'History' })).textContent).toMatch(/Bob.*try.*Rules: removed.*Required index: 1\.5/);
    await press('Restore revision 1');
    await press('Save for everybody');
    await waitFor(() => expect(sent).toEqual([{ required: 1.33, rules: ['nelson1'], reason: 'as revision 1' }]));
  });

  it('sets who looks after alarms, what to do, and the time without measurements', async () => {
    const { sent } = await open({ evaluation: { owner: 'Line 3', sources: { owner: { kind: 'part', uuid: PART_UUID } } } });
    expect((await screen.findByRole('group', { name: 'Owner of its alarms' })).textContent).toContain('Line 3 as the part Frame');
    expect(screen.getByRole('group', { name: 'Alarms close by themselves' }).textContent).toContain('after 7 points within the limits');
    for (const member of ['What to do', 'Alarm when nothing is measured', 'Alarms close by themselves']) {
      await userEvent.click(screen.getByRole('checkbox', { name: `${member}: set here` }));
    }
    await say('new line');
    expect(screen.getByText(/say what to do, or leave it to the level above/)).toBeDefined();
    await userEvent.type(screen.getByRole('textbox', { name: 'What to do' }), 'Stop the line.');
    const time = screen.getByRole('textbox', { name: 'Time' });
    await userEvent.clear(time);
    await userEvent.type(time, '30');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Unit of the time' }), 'minutes');
    await press('Save for everybody');
    await waitFor(() => expect(sent).toEqual([{ reaction: 'Stop the line.', silence: 'PT30M', autoClose: 7, reason: 'new line' }]));
  });

  it('names the missing right, and changes nothing without it', async () => {
    await open({ rights: { 'plan:read': ['/'] } });
    expect(await screen.findByText('You may only read: the right plan:write for /Car door/Frame is missing.')).toBeDefined();
    expect(screen.getByRole('checkbox', { name: 'Model: set here' }).hasAttribute('disabled')).toBe(true);
    expect(screen.queryByRole('textbox', { name: 'Reason for the change' })).toBeNull();
  });

  it('offers what was typed before a sign-in that has left the page, compares it with what is stored, and forgets it', async () => {
    const leaving = await open({ evaluation: { own: { required: 1.33 } } });
    const field = await screen.findByRole('textbox', { name: 'Required index' });
    await userEvent.clear(field);
    await userEvent.type(field, '2');
    await say('customer wants it');
    leaving.session.drafts.keep();
    const kept = JSON.stringify({ ...sessionStorage });
    cleanup();
    for (const [name, text] of Object.entries(JSON.parse(kept) as Record<string, string>)) sessionStorage.setItem(name, text);

    await open({ evaluation: { own: { required: 1.5 } }, isBegun: true });
    await press('Continue with it');
    expect(screen.getByRole('textbox', { name: 'Reason for the change' })).toHaveProperty('value', 'customer wants it');
    const conflict = await screen.findByRole('table', { name: 'Changed by somebody else meanwhile' });
    expect(conflict.textContent).toMatch(/1\.5.*2|2.*1\.5/);
    expect(sessionStorage).toHaveLength(0);
  });
});
