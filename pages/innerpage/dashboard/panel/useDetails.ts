import { useEffect, useState } from 'react';
import { getDeviceDetails } from '../../../../shared/api/dashboard.ts';
import type { DeviceDetails } from '../../../../shared/protocol/api/dashboard.ts';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';

/** The device's channels; asked for again when its state suggests that they may have changed. */
export function useDetails({ id, state, videoLoss, chn }: LiveDevice): DeviceDetails | undefined {
  const [details, setDetails] = useState<DeviceDetails>();
  // The three are no input of the call: a change of them is the reason to call again.
  const reason = `${state} ${videoLoss} ${chn}`;
  useEffect(() => {
    const abort = new AbortController();
    void reason;
    void getDeviceDetails(id, abort.signal).then((result) => {
      if (result.ok && !abort.signal.aborted) setDetails(result.value);
    });
    return () => abort.abort();
  }, [id, reason]);
  return details;
}
