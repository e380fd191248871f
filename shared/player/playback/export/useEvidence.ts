// Evidence of one device as a dialog shows it: asked for when the dialog opens, since only few who see a recording may hold it.
import { useCallback, useEffect, useState } from 'react';
import { getUserStatus } from '../../../api/accounts/user.ts';
import type { ApiFailure, ApiResult } from '../../../api/client.ts';
import { type Evidence, getEvidence, holdEvidence, releaseEvidence } from '../../../api/recordings/evidence.ts';
import { Permission } from '../../../protocol/permissions.ts';
import type { TimeRange } from '../timeline/ranges.ts';

interface EvidenceRequest {
  readonly channels: readonly number[];
  readonly range: TimeRange;
  readonly reason: string;
}

export interface EvidenceControl {
  /** Undefined: nobody is signed in here who may hold evidence. */
  readonly held: readonly Evidence[] | undefined;
  readonly isBusy: boolean;
  readonly failure: ApiFailure | undefined;
  /** True when something is held now that was not before. */
  readonly hold: (request: EvidenceRequest) => Promise<boolean>;
  readonly release: (id: number) => Promise<void>;
}

const NOTHING_RECORDED = 'no-recording';

export function useEvidence(deviceid: string): EvidenceControl {
  const [held, setHeld] = useState<readonly Evidence[]>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();

  const load = useCallback(async () => {
    const list = await getEvidence(deviceid);
    if (list.ok) setHeld(list.value);
  }, [deviceid]);

  useEffect(() => {
    const asking = new AbortController();
    void getUserStatus(asking.signal).then((status) => {
      const mayHold = status.ok && status.value.login && status.value.permission.includes(Permission.Evidence);
      if (mayHold && !asking.signal.aborted) void load();
    });
    return () => asking.abort();
  }, [load]);

  const run = async (change: () => Promise<ApiResult<unknown>>): Promise<boolean> => {
    setBusy(true);
    const result = await change();
    setFailure(result.ok ? undefined : result);
    await load();
    setBusy(false);
    return result.ok;
  };
  return {
    held,
    isBusy,
    failure,
    hold: (request) => run(() => holdChannels(deviceid, request)),
    release: async (id) => void (await run(() => releaseEvidence(id))),
  };
}

/** One hold a channel. A channel of which nothing is recorded is no fault while another one is held. */
async function holdChannels(deviceid: string, request: EvidenceRequest): Promise<ApiResult<unknown>> {
  let result: ApiResult<unknown> | undefined;
  for (const channel of request.channels) {
    const one = await holdEvidence({ deviceid, channel, ...request.range, reason: request.reason });
    const isEmpty = !one.ok && one.kind === 'http' && one.code === NOTHING_RECORDED;
    if (!one.ok && !isEmpty) return one;
    if (result?.ok !== true) result = one;
  }
  if (result === undefined) throw new Error('no channel was chosen');
  return result;
}
