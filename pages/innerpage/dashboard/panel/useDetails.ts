import { useEffect, useState } from 'react';
import { getDeviceDetails } from '../../../../shared/api/fleet.ts';
import type { DeviceDetails } from '../../../../shared/protocol/api/fleet.ts';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';

const RETRY_MS = 10_000;

/** The device's channels; asked for again when its state suggests that they may have changed, or no answer came. */
export function useDetails({ id, state, videoLoss, chn }: LiveDevice): DeviceDetails | undefined {
  const [details, setDetails] = useState<DeviceDetails>();
  // The three are no input of the call: a change of them is the reason to call again.
  const reason = `${state} ${videoLoss} ${chn}`;
  useEffect(() => {
    const abort = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    void reason;
    const ask = async (): Promise<void> => {
      const result = await getDeviceDetails(id, abort.signal);
      if (abort.signal.aborted) return;
      if (result.ok) setDetails(result.value);
      else retry = setTimeout(() => void ask(), RETRY_MS);
    };
    void ask();
    return () => {
      abort.abort();
      clearTimeout(retry);
    };
  }, [id, reason]);
  return details;
}
