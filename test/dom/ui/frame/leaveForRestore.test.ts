import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { requestJson, setRestoringHandler } from '../../../../shared/api/client.ts';
import { leaveForRestore } from '../../../../shared/ui/frame/leaveForRestore.ts';

let reloads: number;
beforeEach(() => {
  reloads = 0;
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  leaveForRestore(() => void reloads++);
});
afterEach(() => {
  setRestoringHandler(undefined);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function answerWith(code: string): void {
  vi.stubGlobal('fetch', async () => Response.json({ error: true, code, message: 'Later' }, { status: 503 }));
}

describe('a page', () => {
  it('leaves once for the notice of a restore (S-2.4.19)', async () => {
    answerWith('restoring');
    expect(await requestJson('/api/user/status')).toMatchObject({ ok: false, status: 503, code: 'restoring' });
    await requestJson('/api/user/status');
    expect(reloads).toBe(1);
  });

  it('stays where a call can’t be answered for another reason', async () => {
    answerWith('database-away');
    await requestJson('/api/user/status');
    expect(reloads).toBe(0);
  });

  it('leaves it to the shell when it is framed by it', async () => {
    const parent = { location: { origin: window.location.origin } };
    vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as Window);
    answerWith('restoring');
    await requestJson('/api/user/status');
    expect(reloads).toBe(0);
  });
});
