import { useEffect, useRef } from 'react';
import { getDeviceDetails } from '../../../../shared/api/fleet.ts';
import type { DeviceDetails } from '../../../../shared/protocol/api/fleet.ts';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';

const RETRY_MS = 10_000;

/** The device's channels; asked for again when its state suggests that they may have changed, or no answer came. */
export function useDetails({ id, state, videoLoss, chn }: LiveDevice): DeviceDetails | undefined {
  const { value, reload } = useRecord({
    key: ['device-details', id],
    load: (signal) => getDeviceDetails(id, signal),
    retryMs: RETRY_MS,
  });
  const reason = `${state} ${videoLoss} ${chn}`;
  const lastReason = useRef(reason);
  useEffect(() => {
    if (lastReason.current === reason) return;
    lastReason.current = reason;
    reload();
  }, [reason, reload]);
  return value;
}
