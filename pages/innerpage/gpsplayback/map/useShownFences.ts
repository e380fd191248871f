import { useEffect, useMemo, useState } from 'react';
import { getShownFences } from '../../../../shared/api/fences.ts';
import { listenForFences } from '../../../../shared/live/liveReloads.ts';
import { type FenceOutline, fenceOutline } from '../../../../shared/ui/map/tracks/fenceOutline.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';

const NONE: readonly FenceOutline[] = [];

/** The member group's geofences, as they are now. */
export function useShownFences(): readonly FenceOutline[] {
  const [reloads, setReloads] = useState(0);
  useEffect(() => listenForFences(() => setReloads((count) => count + 1)), []);
  const { value } = useRecord({
    key: ['shown-fences', reloads],
    load: (signal) => getShownFences(signal),
    keepsOther: true,
  });
  return useMemo(() => value?.map(fenceOutline) ?? NONE, [value]);
}
