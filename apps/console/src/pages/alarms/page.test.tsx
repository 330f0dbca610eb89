import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Alarm, AlarmMute, ChangedAlarms } from '@sinebar/client';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { alarmAnswer } from '../../testing/alarm-answers.fixture';
import { CHARACTERISTIC_UUID, PART_UUID } from '../../testing/analysis-answers.fixture';
import { FakeServer, refusal } from '../../testing/fake-server.fixture';
import { layOut } from '../../testing/layout.fixture';
import { spokenEvents } from '../../testing/live.fixture';
import { renderPage } from '../../testing/render.fixture';

beforeAll(layOut);

const LIST = '/alarmServiceRest/alarms';
const CATALOGS = [
  { uuid: 'causes', name: 'Causes', validAttributes: [4391], catalogEntries: [{ key: 1, attributes: { 4391: 'Tool worn' } }] },
  { uuid: 'actions', name: 'Actions', validAttributes: [4392], catalogEntries: [{ key: 7, attributes: { 4392: 'Tool changed' } }] },
];
const RIGHTS = { 'note:write': ['/'], 'measurement:read': ['/'], 'plan:read': ['/'] };

const minute = (at: number) => `2026-03-02T08:${String(at).padStart(2, '0')}:00.000Z`;
const named = (name: string, at: number, about: Partial<Alarm> = {}) =>
  alarmAnswer({
    uuid: `5a000000-0000-4000-8000-0000000000${String(at).padStart(2, '0')}`,
    characteristicPath: `PPC:/Car door/Frame/${name}/`,
    raised: minute(at),
    since: minute(at),
    ...about,
  });

interface Given {
  alarms?: Alarm[];
  rights?: Readonly<Record<string, readonly string[]>>;
  address?: string;
  language?: 'en' | 'de';
  mutes?: AlarmMute[];
  /** Alarm whose changes are refused. */
  refused?: string;
  answers?: ConstructorParameters<typeof FakeServer>[0];
}

/** Opens the inbox on a server that keeps its alarms; `sent` lists the changes. */
async function open({
  alarms = [named('Gap left', 9)],
  rights = RIGHTS,
  address = '/alarms',
  language = 'en',
  mutes = [],
  refused,
  answers,
}: Given = {}) {
  const stored = new Map(alarms.map((alarm) => [alarm.uuid, alarm]));
  const sent: unknown[] = [];
  const listed = (url: URL) => {
    const states = url.searchParams.get('state')?.replace(/[{}]/g, '').split(',');
    const told = url.searchParams.get('told');
    return [...stored.values()]
      .filter(({ state }) => states === undefined || states.includes(state))
      .filter(({ muted, old }) => told === null || (told === 'false') === (muted || old))
      .sort((a, b) => b.raised.localeCompare(a.raised));
  };
  const uuidOf = (url: URL) => url.pathname.split('/').at(-1) ?? '';
  const server = new FakeServer({
    'GET /dataServiceRest/permissions': () => ({ userName: 'Ann', partRights: rights, serverRights: [] }),
    'GET /dataServiceRest/parts': () => [],
    'GET /dataServiceRest/inspectionPlanItems': () => [{ uuid: PART_UUID, path: 'PP:/Car door/Frame/', attributes: {} }],
    'GET /dataServiceRest/characteristics': () => [
      { uuid: CHARACTERISTIC_UUID, path: 'PPC:/Car door/Frame/Gap left/', attributes: { 2142: 'mm' } },
    ],
    'GET /dataServiceRest/configuration': () => ({
      partAttributes: [],
      characteristicAttributes: [],
      measurementAttributes: [],
      valueAttributes: [],
      catalogAttributes: [],
    }),
    'GET /dataServiceRest/catalogs': () => CATALOGS,
    [`GET ${LIST}`]: ({ url }) => listed(url),
    [`GET ${LIST}/count`]: ({ url }) => ({ count: listed(url).length }),
    [`GET ${LIST}/:uuid`]: ({ url }) => ({
      ...stored.get(uuidOf(url)),
      steps: [
        { state: 'raised', time: minute(9) },
        { state: 'acknowledged', time: minute(10), user: 'Ben' },
      ],
    }),
    [`PUT ${LIST}`]: ({ body }) => {
      const { alarms: wanted, ...said } = body as { alarms: { uuid: string; was: string }[] };
      const answer: ChangedAlarms = { changed: [], refused: [] };
      for (const { uuid, was } of wanted) {
        const alarm = stored.get(uuid)!;
        if (uuid === refused) answer.refused.push({ uuid, message: 'You may not change alarms of the part.' });
        else if (alarm.state !== was) answer.refused.push({ uuid, message: 'It is different by now.', alarm });
        else {
          sent.push(said);
          stored.set(uuid, { ...alarm, ...said });
          answer.changed.push(uuid);
        }
      }
      return answer;
    },
    'GET /alarmServiceRest/mutes': () => mutes,
    ...answers,
  });
  const events = spokenEvents();
  const rendered = await renderPage(address, { server, language, live: events.live });
  const raise = (alarm: Alarm) => {
    stored.set(alarm.uuid, alarm);
    const { uuid: AlarmUuid, partUuid: PartUuid, kind: Kind, state: State } = alarm;
    act(() => events.happens('AlarmRaised', { AlarmUuid, PartUuid, Kind, State }, { id: AlarmUuid, time: '', sequence: '1' }));
  };
  return { ...rendered, server, sent, stored, raise };
}

const table = (name = 'Alarms, newest first') => screen.findByRole('grid', { name });
const rowNames = async () =>
  within(await table())
    .getAllByRole('rowheader')
    .map(({ textContent }) => /^[A-Z][a-z]+ [a-z]+/.exec(textContent)?.[0]);
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

describe('the inbox of alarms', () => {
  it('lists open alarms, the newest first, with value, unit, limits and what to do', async () => {
    const { server } = await open({
      alarms: [
        named('Gap left', 9, { owner: 'Tool shop', reaction: 'Stop, measure again.' }),
        named('Gap right', 30, {
          kind: 'rule',
          rule: 'nelson2',
          points: 12,
          value: 125.413_124_57,
          limits: { lower: 125.4, upper: 125.6, centerLine: 125.5 },
        }),
        named('Old one', 5, { state: 'closed' }),
      ],
    });
    expect(await rowNames()).toEqual(['Gap right', 'Gap left']);
    const [ofRule, ofValue] = within(await table())
      .getAllByRole('row')
      .slice(1);
    expect(ofRule?.textContent).toContain('9 points in a row on one side of the centre line (12 points)');
    expect(ofRule?.textContent).toContain('125.41312457');
    expect(ofRule?.textContent).toContain('125.4 … 125.6');
    await waitFor(() => expect(ofValue?.textContent).toContain('20.0530000001 mm'));
    expect(ofValue?.textContent).toContain('Above the upper tolerance limit');
    expect(ofValue?.textContent).toContain('Car door / Frame');
    expect(ofValue?.textContent).toContain('Stop, measure again.');
    expect(server.requests.some((request) => /alarms\?state=.*raised.*acknowledged/.test(decodeURIComponent(request)))).toBe(true);
  });

  it('filters by what the address holds', async () => {
    const { server } = await open({ address: '/alarms?state=closed&kind=rule,process&below=%2FCar%20door&from=2026-03-01T00:00:00Z' });
    await screen.findByText('No alarm matches the filters.');
    const asked = server.requests.map((request) => decodeURIComponent(request)).find((request) => request.startsWith(`GET ${LIST}?`));
    expect(asked).toMatch(/state=\{?closed/);
    expect(asked).toMatch(/kind=.*rule.*process/);
    expect(asked).toContain('partPath=/Car door');
    expect(asked).toContain('from=2026-03-01T00:00:00Z');
    await press('Remove the filters');
    expect(await rowNames()).toEqual(['Gap left']);
  });

  it('says how many alarms nobody was told of, and lists them where the reader wants so', async () => {
    await open({ alarms: [named('Gap left', 9), named('Gap right', 8, { muted: true })] });
    expect(await rowNames()).toEqual(['Gap left']);
    expect(await screen.findByText(/^1 more was told to nobody/)).toBeTruthy();
    await press('Show them too');
    await waitFor(async () => expect(await rowNames()).toEqual(['Gap left', 'Gap right']));
    expect((await table()).textContent).toContain('planned stop');
  });

  it('moves nothing when an alarm comes, and says so', async () => {
    const { raise } = await open();
    await rowNames();
    raise(named('Flush top', 40));
    expect(await screen.findByText('1 alarm has come that is not shown.')).toBeTruthy();
    expect(await rowNames()).toEqual(['Gap left']);
    await press('Show');
    expect(await rowNames()).toEqual(['Flush top', 'Gap left']);
  });

  it('shows the first alarm of an empty inbox by itself', async () => {
    const { raise } = await open({ alarms: [] });
    await screen.findByText('No alarm is open.');
    raise(named('Flush top', 40));
    expect(await rowNames()).toEqual(['Flush top']);
  });

  it('marks an alarm that somebody else has closed, and leaves it where it is', async () => {
    const { stored, raise } = await open({ alarms: [named('Gap left', 9), named('Gap right', 8)] });
    await rowNames();
    const [first] = stored.values();
    raise({ ...first!, state: 'closed' });
    expect(await screen.findByText('no longer in this list')).toBeTruthy();
    expect(await rowNames()).toEqual(['Gap left', 'Gap right']);
  });

  it('is led by keys: choose two, close them with cause and action', async () => {
    const { sent } = await open({ alarms: [named('Gap left', 9), named('Gap right', 8), named('Flush top', 7)] });
    await rowNames();
    await userEvent.keyboard('jxjx');
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select the alarm of Gap right' }).checked).toBe(true);
    await userEvent.keyboard('c');
    const dialog = await screen.findByRole('dialog', { name: 'Close 2 alarms' });
    await userEvent.click(await within(dialog).findByRole('combobox', { name: 'Cause' }));
    await userEvent.keyboard('{Control>}a{/Control}tool{Enter}');
    await userEvent.click(within(dialog).getByRole('combobox', { name: 'Action' }));
    await userEvent.keyboard('{Control>}a{/Control}tool{Enter}');
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Note' }), 'Insert 3.');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[0]).toEqual({ state: 'closed', cause: 1, action: 7, note: 'Insert 3.' });
    await waitFor(async () => expect(await rowNames()).toEqual(['Flush top']));
  });

  it('chooses a range with the Shift key, and acknowledges it', async () => {
    const { sent } = await open({ alarms: [named('Gap left', 9), named('Gap right', 8), named('Flush top', 7)] });
    await rowNames();
    await userEvent.keyboard('j{Shift>}jj{/Shift}a');
    await waitFor(() => expect(sent).toEqual([{ state: 'acknowledged' }, { state: 'acknowledged' }, { state: 'acknowledged' }]));
    expect(await rowNames()).toEqual(['Gap left', 'Gap right', 'Flush top']);
    await waitFor(async () => expect(within(await table()).getAllByText('acknowledged')).toHaveLength(3));
  });

  it('leaves letters to the sections behind g', async () => {
    const { sent, router } = await open();
    await rowNames();
    await userEvent.keyboard('jga');
    await waitFor(() => expect(router.state.location.pathname).toBe('/administration/definitions'));
    expect(sent).toEqual([]);
  });

  it('says in the row why a change failed, and changes the others', async () => {
    const [refused, other] = [named('Gap left', 9), named('Gap right', 8)];
    const { sent } = await open({ alarms: [refused, other], refused: refused.uuid });
    await rowNames();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all alarms' }));
    await press('Acknowledge 2');
    expect(await screen.findByText('1 alarm could not be changed; its row says why.')).toBeTruthy();
    expect((await table()).textContent).toContain('You may not change alarms of the part.');
    expect(sent).toEqual([{ state: 'acknowledged' }]);
  });

  it('says who was faster, and changes nothing then', async () => {
    const { sent, stored } = await open({ alarms: [named('Gap left', 9)] });
    await rowNames();
    for (const [uuid, alarm] of stored) stored.set(uuid, { ...alarm, state: 'closed', modifiedBy: 'Ben', closed: minute(30) });
    await userEvent.keyboard('ja');
    await waitFor(async () => expect((await table()).textContent).toContain('Ben'));
    expect(sent).toEqual([]);
  });

  it('shows steps, limits and the way to the chart of the alarm at the side', async () => {
    await open({ address: `/alarms?selected=${named('Gap left', 9).uuid}` });
    const side = await screen.findByRole('complementary', { name: 'Selected alarm' });
    expect(await within(side).findByText('acknowledged', { selector: 'strong' })).toBeTruthy();
    expect(side.textContent).toContain('Ben');
    expect(side.textContent).toContain('19.95 … 20.05');
    const link = within(side).getByRole('link', { name: 'Show on the chart' });
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain('viewFrom=');
  });

  it('has no buttons without the right note:write, and says why', async () => {
    await open({ rights: { 'measurement:read': ['/'] }, address: `/alarms?selected=${named('Gap left', 9).uuid}` });
    expect(await screen.findByText('You may read alarms only: the right note:write is missing.')).toBeTruthy();
    expect(await screen.findByText('You may read this alarm only: the right note:write for /Car door/Frame is missing.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Acknowledge|Close|Planned stop/ })).toBeNull();
  });

  it('plans a stop of the part, and ends one', async () => {
    const mute = {
      uuid: 'm1',
      partUuid: PART_UUID,
      partPath: 'PP:/Car door/Frame/',
      from: minute(0),
      until: minute(59),
      reason: 'New tool',
    };
    const planned: unknown[] = [];
    const ended: string[] = [];
    await open({
      mutes: [mute],
      address: `/alarms?selected=${named('Gap left', 9).uuid}`,
      answers: {
        'POST /alarmServiceRest/mutes': ({ body }) => {
          planned.push(body);
          return mute;
        },
        'DELETE /alarmServiceRest/mutes/:uuid': ({ url }) => void ended.push(url.pathname),
      },
    });
    const side = await screen.findByRole('complementary', { name: 'Selected alarm' });
    await userEvent.click(await within(side).findByRole('button', { name: 'Planned stop…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Plan a stop' });
    const until = within(dialog).getByLabelText<HTMLInputElement>('Until');
    await userEvent.type(until, '2999-01-01T06:00');
    expect(within(dialog).getByText('Say why.')).toBeTruthy();
    await userEvent.type(within(dialog).getByLabelText('Reason'), 'Maintenance');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Plan' }));
    await waitFor(() => expect(planned).toHaveLength(1));
    expect(planned[0]).toMatchObject({
      partPath: '/Car door/Frame',
      until: new Date('2999-01-01T06:00').toISOString().replace('.000Z', 'Z'),
      reason: 'Maintenance',
    });
    await press('1 planned stop');
    await press('End the planned stop of Car door / Frame now');
    await waitFor(() => expect(ended).toEqual(['/alarmServiceRest/mutes/m1']));
  });

  it('says which right is missing to see alarms', async () => {
    await open({ answers: { [`GET ${LIST}`]: () => refusal(403, 'Forbidden', 'The right measurement:read is missing.') } });
    expect((await screen.findByRole('alert')).textContent).toContain('measurement:read');
  });

  it('speaks German', async () => {
    await open({
      language: 'de',
      alarms: [
        named('Gap left', 9, { kind: 'process', value: undefined, limits: undefined, before: 'capable', after: 'notStable' } as object),
      ],
    });
    expect((await table('Alarme, neueste zuerst')).textContent).toContain('Der Prozess war fähig und ist nicht stabil');
  });
});

describe('the count of open alarms in the bar', () => {
  it('leads to them, and is absent while none is open', async () => {
    const { raise } = await open({ alarms: [], address: '/alarms?state=closed' });
    await screen.findByText('No alarm matches the filters.');
    expect(screen.queryByRole('link', { name: /open alarm/ })).toBeNull();
    const title = document.title;
    raise(named('Flush top', 40));
    const link = await screen.findByRole('link', { name: '1 open alarm' });
    expect(link.getAttribute('href')).toBe('/alarms');
    expect(document.title).toBe(title);
  });
});
