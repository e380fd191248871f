// Evidence beside an export: who is offered it, what it asks of the gateway, and what it says of the answers.
import { setImmediate } from 'node:timers/promises';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next/initReactI18next';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import errorTexts from '../../../../public/locales/en/Errors.json' with { type: 'json' };
import playbackTexts from '../../../../public/locales/en/Playback.json' with { type: 'json' };
import { EvidenceSection } from '../../../../shared/player/playback/export/EvidenceSection.tsx';

const RANGE = { fromMs: 1_000.5, toMs: 9_000.5 };
const MEMBER = { login: true, username: 'ann', permission: ['evidence'] };

let status: unknown;
let held: { readonly id: number; readonly channel: number; readonly heldBy: string; releasedAtMs: number }[];
/** Codes of refusal by channel. */
let refused: Map<number, string>;
let posted: unknown[];
/** What the page was told, to see when it has read it. */
let answered: Response[];

// For what hangs: a busy machine takes its time.
configure({ asyncUtilTimeout: 20_000 });

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    ns: ['Playback', 'Errors'],
    resources: { en: { Playback: playbackTexts, Errors: errorTexts } },
    keySeparator: false,
    interpolation: { escapeValue: false },
  });
});

beforeEach(() => {
  [status, held, refused, posted, answered] = [MEMBER, [], new Map(), [], []];
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit = {}) => {
    const response = answer(address, body);
    answered.push(response);
    return response;
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function answer(address: string, body: RequestInit['body']): Response {
  if (address === '/api/user/status') return success(status);
  if (typeof body !== 'string') return success(held);
  const data = JSON.parse(body) as { readonly id?: number; readonly channel?: number };
  posted.push(data);
  if (address.endsWith('/release')) {
    for (const hold of held) if (hold.id === data.id) hold.releasedAtMs = 5;
    return success({});
  }
  const code = refused.get(data.channel ?? 0);
  if (code !== undefined) return Response.json({ error: true, code, message: code }, { status: 409 });
  held.push({ ...data, id: held.length + 1, channel: data.channel ?? 0, releasedAtMs: 0, heldBy: 'ann' });
  return success({ id: held.length });
}

const success = (data: unknown) => Response.json({ error: false, data });

function show(channels: readonly number[] = [1, 2], range: typeof RANGE | 'none' = RANGE): void {
  render(<EvidenceSection deviceid="DEV1" channels={channels} range={range === 'none' ? undefined : range} />);
}

const reasonField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Reason' });
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Hold as evidence' });
const items = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);

/** Waits for the end of the call: the reason is emptied by a success, and can be sent again after a failure. */
async function hold(reason: string): Promise<void> {
  const field = await reasonField();
  fireEvent.change(field, { target: { value: reason } });
  fireEvent.click(button());
  await waitFor(() => expect(field.value === '' || !button().disabled).toBe(true));
}

describe('evidence', () => {
  it.each([
    ['nobody is signed in', { login: false, username: '', permission: [] }],
    ['the member may not', { ...MEMBER, permission: ['export'] }],
  ])('is not offered where %s', async (_, given) => {
    status = given;
    show();
    // Once the answer to the first question has been read, and all that follows from it.
    await waitFor(() => expect(answered.map(({ bodyUsed }) => bodyUsed)).toEqual([true]));
    await act(() => setImmediate());
    expect(screen.queryByRole('button')).toBeNull();
    expect(answered).toHaveLength(1);
  });

  it.each([
    ['no channel is chosen', [], RANGE],
    ['what is typed is no range', [1], 'none'],
  ] as const)('cannot be held while %s', async (_, channels, range) => {
    show(channels, range);
    fireEvent.change(await reasonField(), { target: { value: 'because' } });
    expect(button()).toHaveProperty('disabled', true);
  });

  it('needs a reason, and holds whole milliseconds of each channel', async () => {
    show();
    fireEvent.change(await reasonField(), { target: { value: '  ' } });
    expect(button()).toHaveProperty('disabled', true);
    await hold(' accident ');
    const range = { deviceid: 'DEV1', fromMs: 1_000, toMs: 9_001, reason: 'accident' };
    expect(posted).toEqual([
      { ...range, channel: 1 },
      { ...range, channel: 2 },
    ]);
    expect(items()).toHaveLength(2);
    expect(items()[0]).toMatch(/^accidentch 1 · 1970-01-01 [\d:]{8} – [\d:]{8} · annRelease$/);
    expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveProperty('value', '');
  });

  it('leaves a channel out of which nothing is recorded, and says so where nothing is of any', async () => {
    refused.set(1, 'no-recording');
    show();
    await hold('accident');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(items()).toHaveLength(1);
    refused.set(2, 'no-recording');
    await hold('once more');
    expect(screen.getByRole('alert').textContent).toBe(errorTexts['no-recording']);
    expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveProperty('value', 'once more');
  });

  it('says why it was refused, and shows what was held until then', async () => {
    refused.set(2, 'evidence-full');
    show([1, 2, 3]);
    await hold('accident');
    expect(screen.getByRole('alert').textContent).toBe(errorTexts['evidence-full']);
    expect(posted).toHaveLength(2);
    expect(items()).toHaveLength(1);
  });

  it('is released one by one', async () => {
    show();
    await hold('accident');
    fireEvent.click(within(screen.getAllByRole('listitem')[1] as HTMLElement).getByRole('button', { name: 'Release' }));
    await waitFor(() => expect(items()).toHaveLength(1));
    expect(posted.at(-1)).toEqual({ id: 2 });
  });
});
