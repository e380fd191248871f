import { describe, expect, it } from 'vitest';
import { RecordingList } from '../../../../server/device/playback/recordingList.ts';
import { DeviceRegistry } from '../../../../server/device/registry.ts';
import type { TerminalSession } from '../../../../server/device/terminalSession.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';

const RANGE = { deviceId: 'BUS1', channel: 1, from: wallMs(0), to: wallMs(10_000) };

describe('what a terminal said that it has recorded', () => {
  it('is remembered while it is away, and forgotten with its device', async () => {
    const registry = new DeviceRegistry(() => 5);
    const list = new RecordingList({ registry, now: () => 5 });
    const item = { channel: 1, start: wallMs(1_000), end: wallMs(2_000), alarms: 0, videoAlarms: 0, media: 0 };
    const answer = { kind: 'resources', items: [{ ...item, stream: 1, storage: 1, sizeBytes: 7 }] };
    // The list asks a session one question and nothing else.
    const session = {
      deviceId: 'BUS1',
      query: async () => ({ ok: true, answer }),
      close: () => registry.leave(session),
    } as unknown as TerminalSession;
    registry.enter(session);
    expect(await list.list(RANGE)).toMatchObject({ ok: true, value: { isFresh: true, recordings: [{ bytes: 7 }] } });
    registry.leave(session);
    expect(await list.list(RANGE)).toMatchObject({ ok: true, value: { isFresh: false, recordings: [{ bytes: 7 }] } });
    list.forget('BUS');
    expect(await list.list(RANGE)).toMatchObject({ ok: true });
    list.forget('BUS1');
    expect(await list.list(RANGE)).toEqual({ ok: false, code: 'device-offline' });
  });
});
