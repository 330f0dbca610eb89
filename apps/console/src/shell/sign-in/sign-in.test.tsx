import { expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { doorServer } from '../../testing/door.fixture';
import { renderComponent } from '../../testing/render.fixture';
import { SignInDialog } from './sign-in';

it.each([
  ['en', /^Your sign-in has expired, or the server no longer accepts it\./],
  ['de', /^Ihre Anmeldung ist abgelaufen, oder der Server nimmt sie nicht mehr an\./],
] as const)('says that a sign-in has expired: %s', async (language, sentence) => {
  const server = doorServer();
  const { session } = await renderComponent(<SignInDialog />, { server, language });
  await act(() => session.begin());
  expect(screen.queryByText(sentence)).toBeNull();
  const challenge = { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="Sinebar"' } };
  server.answer('GET /dataServiceRest/permissions', () => new Response('{}', challenge));
  await act(async () => {
    // It resolves when somebody has signed in again.
    void session.credentialsFor('refused');
    await Promise.resolve();
  });
  expect(await screen.findByText(sentence)).toBeDefined();
  // Escape would sign out, and with it lose what the page below holds.
  await userEvent.keyboard('{Escape}');
  expect(screen.getByText(sentence)).toBeDefined();
});
