import { describe, expect, it } from '@jest/globals';
import { nextUpload, uploadsAfter, type Upload } from './upload-list';

const upload = (id: number, state: Upload['state'] = 'waiting'): Upload => ({
  id,
  name: `${id}.png`,
  sizeBytes: 1000,
  target: { entity: 'Part', uuid: 'p' },
  targetName: 'Car door',
  state,
  sentBytes: 0,
});

describe('list of uploads', () => {
  it('sends one file at a time, in order', () => {
    expect(nextUpload([upload(1, 'stored'), upload(2), upload(3)])?.id).toBe(2);
    expect(nextUpload([upload(1, 'sending'), upload(2)])).toBeUndefined();
  });

  it('continues after a refused file', () => {
    expect(nextUpload([upload(1, 'failed'), upload(2)])?.id).toBe(2);
  });

  it('follows one upload from its start to its end', () => {
    let uploads: readonly Upload[] = uploadsAfter([], { type: 'added', uploads: [upload(1), upload(2)] });
    uploads = uploadsAfter(uploads, { type: 'started', id: 1, atMs: 5 });
    uploads = uploadsAfter(uploads, { type: 'sent', id: 1, bytes: 5000, atMs: 900 });
    expect(uploads[0]).toMatchObject({ state: 'sending', startedMs: 5, sentBytes: 1000 });
    uploads = uploadsAfter(uploads, { type: 'failed', id: 1, problem: 'The server refuses this name.' });
    expect(uploads[0]).toMatchObject({ state: 'failed', problem: 'The server refuses this name.' });
    expect(uploads[1]?.state).toBe('waiting');
  });

  it('forgets a file that is removed', () => {
    expect(uploadsAfter([upload(1), upload(2)], { type: 'removed', id: 1 }).map(({ id }) => id)).toEqual([2]);
  });

  it('shows the time that is left at the speed so far', () => {
    const [sent] = uploadsAfter([{ ...upload(1, 'sending'), startedMs: 0 }], { type: 'sent', id: 1, bytes: 250, atMs: 1000 });
    expect(sent?.secondsLeft).toBe(3);
  });

  it('shows no time before something was sent', () => {
    const [sent] = uploadsAfter([{ ...upload(1, 'sending'), startedMs: 0 }], { type: 'sent', id: 1, bytes: 0, atMs: 1000 });
    expect(sent?.secondsLeft).toBeUndefined();
  });
});
