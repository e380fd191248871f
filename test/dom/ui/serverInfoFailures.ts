import { type FakeRoute, json } from '../../support/fakes/fakeGateway.ts';

/** The ways in which a call for the server information comes to nothing. */
export const serverInfoFailures: readonly { readonly name: string; readonly answer: FakeRoute }[] = [
  { name: 'an error of the server', answer: () => json({ error: true, message: 'down' }, { status: 500 }) },
  { name: 'no JSON', answer: () => new Response('<html>') },
  { name: 'no answer', answer: () => new TypeError('Failed to fetch') },
];
