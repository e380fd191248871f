// Evidence beside an export: who is offered it, what it asks of the gateway, and what it says of the answers.
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
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
  [status, held, refused, posted] = [MEMBER, [], new Map(), []];
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.stubGlobal('fetch', (address: string, { body }: RequestInit = {}) => Promise.resolve(answer(address, body)));
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

async function show(channels: readonly number[] = [1, 2], range: typeof RANGE | 'none' = RANGE): Promise<void> {
  await act(async () => {
    render(<EvidenceSection deviceid="DEV1" channels={channels} range={range === 'none' ? undefined : range} />);
    await settled();
  });
}

/** Until the answers that are there have been read. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

const button = () => screen.getByRole('button', { name: 'Hold as evidence' });
const items = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);

async function hold(reason: string): Promise<void> {
  fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: reason } });
  await act(async () => {
    fireEvent.click(button());
    await settled();
  });
}

describe('evidence', () => {
  it.each([
    ['nobody is signed in', { login: false, username: '', permission: [] }],
    ['the member may not', { ...MEMBER, permission: ['export'] }],
  ])('is not offered where %s', async (_, given) => {
    status = given;
    await show();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it.each([
    ['no channel is chosen', [], RANGE],
    ['what is typed is no range', [1], 'none'],
  ] as const)('cannot be held while %s', async (_, channels, range) => {
    await show(channels, range);
    fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: 'because' } });
    expect(button()).toHaveProperty('disabled', true);
  });

  it('needs a reason, and holds whole milliseconds of each channel', async () => {
    await show();
    fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: '  ' } });
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
    await show();
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
    await show([1, 2, 3]);
    await hold('accident');
    expect(screen.getByRole('alert').textContent).toBe(errorTexts['evidence-full']);
    expect(posted).toHaveLength(2);
    expect(items()).toHaveLength(1);
  });

  it('is released one by one', async () => {
    await show();
    await hold('accident');
    await act(async () => {
      fireEvent.click(
        within(screen.getAllByRole('listitem')[1] as HTMLElement).getByRole('button', { name: 'Release' }),
      );
      await settled();
    });
    expect(posted.at(-1)).toEqual({ id: 2 });
    expect(items()).toHaveLength(1);
  });
});
