import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderComponent } from '../../testing/render.fixture';
import { AsProgram } from './program';
import { ProgramSignInContext } from './sign-in-context';

const requests = [
  { title: 'figures', path: '/analysisServiceRest/characteristics/1/summary', query: { rules: ['nelson1'] } },
  { title: 'individuals', path: '/analysisServiceRest/characteristics/1/series', query: { points: 2000 } },
];

async function opened() {
  await renderComponent(<AsProgram requests={requests} answer={{ counts: [1, 2, 3, 4] }} />);
  await userEvent.click(screen.getByRole('button', { name: 'As a program' }));
}

describe('as a program', () => {
  it('opens with the request in curl', async () => {
    await opened();
    expect(screen.getByRole('tabpanel').textContent).toContain('curl --fail-with-body');
  });
  it('writes the other languages', async () => {
    await opened();
    await userEvent.click(screen.getByRole('tab', { name: 'Python' }));
    expect(screen.getByRole('tabpanel').textContent).toContain('import json, requests');
  });
  it('lists the other requests of the page', async () => {
    await opened();
    expect(screen.getByRole('button', { name: 'Copy the request for individuals' })).toBeDefined();
  });
  it('shortens the answer', async () => {
    await opened();
    expect(screen.getByText(/"counts"/).textContent).not.toContain('4');
  });
  it('signs in as the reader of the page does', async () => {
    await renderComponent(
      <ProgramSignInContext value="basic">
        <AsProgram requests={requests} />
      </ProgramSignInContext>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'As a program' }));
    expect(screen.getByRole('tabpanel').textContent).toContain('--user "$USER_NAME:$PASSWORD"');
  });
  it('closes with Escape', async () => {
    await opened();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
