// Tests whether a terminal answers, and how soon: it is asked for its attributes, which every edition since 2013 knows.
import type { ConnectionAnswer, ConnectionTest } from '../../shared/protocol/api/connectionTest.ts';
import { wallMs } from '../../shared/protocol/time.ts';
import type { MediaLoss } from '../media/mediaLoss.ts';
import type { TerminalAttributes } from './jt808/codec/messages/terminal.ts';
import type { DeviceRegistry } from './registry.ts';
import type { QueryResult } from './terminalSession.ts';

export interface ConnectionTestDeps {
  readonly registry: Pick<DeviceRegistry, 'presence' | 'lastMessageAtMs'>;
  readonly mediaLoss: Pick<MediaLoss, 'of'>;
  /** A clock that never jumps. */
  readonly steadyNow: () => number;
}

/** The time includes waiting for earlier questions: a terminal is asked one at a time. */
export async function testConnection(
  deviceId: string,
  { registry, mediaLoss, steadyNow }: ConnectionTestDeps,
): Promise<ConnectionTest> {
  const presence = registry.presence(deviceId);
  const lastMessageAtMs = wallMs(registry.lastMessageAtMs(deviceId) ?? 0);
  if (presence === undefined) {
    const standing = { connected: false, sinceMs: wallMs(0), lastMessageAtMs, address: '', edition: '', answer: null };
    return { ...standing, mediaLoss: mediaLoss.of(deviceId) };
  }
  const { session, onlineSinceMs } = presence;
  const startedMs = steadyNow();
  const result = await session.query({ kind: 'queryAttributes' }, 'attributesReply');
  const afterMs = Math.round((steadyNow() - startedMs) * 10) / 10;
  return {
    connected: true,
    sinceMs: wallMs(onlineSinceMs),
    lastMessageAtMs,
    address: session.remoteAddress,
    edition: session.edition,
    answer: answerOf(result, afterMs),
    mediaLoss: mediaLoss.of(deviceId),
  };
}

function answerOf(result: QueryResult<TerminalAttributes>, afterMs: number): ConnectionAnswer {
  if (result.ok) {
    const { manufacturer, model, terminalId, iccid, hardwareVersion, firmwareVersion } = result.answer;
    const versions = { hardware: hardwareVersion, firmware: firmwareVersion };
    return { result: 'attributes', afterMs, manufacturer, model, terminalId, iccid, ...versions };
  }
  switch (result.reason) {
    case 'refused':
      return { result: 'unsupported', afterMs };
    case 'timeout':
      return { result: 'no-answer', afterMs };
    case 'closed':
      return { result: 'lost', afterMs };
  }
}
