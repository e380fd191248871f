// Recordings that are held beyond their retention. These calls need a session whose member holds the permission `evidence`.
import type { EvidenceHold, NewEvidenceHold } from '../../protocol/api/recordings.ts';
import { type ApiResult, mapResult, requestJson } from '../client.ts';

export type Evidence = Pick<EvidenceHold, 'id' | 'deviceid' | 'channel' | 'fromMs' | 'toMs' | 'reason' | 'heldBy'>;

const PATH = '/api/playback/evidence';

/** What is held of a device and not released, newest first. */
export async function getEvidence(deviceid: string): Promise<ApiResult<readonly Evidence[]>> {
  return mapResult(await requestJson<unknown>(PATH, { query: { deviceid } }), (data) =>
    Array.isArray(data) ? data.filter(isInForce) : [],
  );
}

/** Codes of a refusal: `no-such-device`, `no-recording`, `evidence-full`, `evidence-share-used`. */
export async function holdEvidence({ fromMs, toMs, ...rest }: NewEvidenceHold): Promise<ApiResult<unknown>> {
  const body = { ...rest, fromMs: Math.floor(fromMs), toMs: Math.ceil(toMs) };
  return requestJson(PATH, { method: 'POST', body });
}

/** Code of a refusal: `no-such-evidence`. */
export async function releaseEvidence(id: number): Promise<ApiResult<unknown>> {
  return requestJson(`${PATH}/release`, { method: 'POST', body: { id } });
}

function isInForce(value: unknown): value is Evidence {
  if (typeof value !== 'object' || value === null) return false;
  const { id, channel, fromMs, toMs, reason, heldBy, releasedAtMs } = value as Readonly<Record<string, unknown>>;
  const areNumbers = [id, channel, fromMs, toMs].every((each) => typeof each === 'number');
  return areNumbers && typeof reason === 'string' && typeof heldBy === 'string' && releasedAtMs === 0;
}
