import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo } from 'react';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { DARK_VEHICLES, LIGHT_VEHICLES } from '../../../../shared/ui/map/tracks/speedColors.ts';
import { nameOf } from '../devices/deviceChoices.ts';
import type { ShownDevice } from '../map/mapContent.ts';

/** The devices on the clock, each with its name and color. The same objects while vehicles only move. */
export function useShownDevices(
  deviceIds: readonly string[],
  devices: ReadonlyMap<string, LiveDevice>,
): readonly ShownDevice[] {
  const isDark = useMediaQuery('(prefers-color-scheme: dark)');
  const known = JSON.stringify(deviceIds.map((id) => [id, nameOf(devices.get(id) ?? { id, name: '' })]));
  return useMemo(() => {
    const colors = isDark ? DARK_VEHICLES : LIGHT_VEHICLES;
    const named = JSON.parse(known) as readonly (readonly [string, string])[];
    return named.map(([id, name], at) => ({ id, name, color: colors[at % colors.length] ?? colors[0] }));
  }, [known, isDark]);
}
