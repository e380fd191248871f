import { describe, expect, it } from 'vitest';
import { DARK_MAP, LIGHT_MAP } from '../../../../../../shared/ui/map/mapScheme.ts';
import {
  DARK_SPEEDS,
  DARK_VEHICLES,
  LIGHT_SPEEDS,
  LIGHT_VEHICLES,
  speedBand,
} from '../../../../../../shared/ui/map/tracks/speedColors.ts';
import { contrast } from '../../../../../support/colors.ts';

describe('the colors of tracks', () => {
  it.each([
    ['light', [...LIGHT_SPEEDS, ...LIGHT_VEHICLES], LIGHT_MAP.land],
    ['dark', [...DARK_SPEEDS, ...DARK_VEHICLES], DARK_MAP.land],
  ] as const)('stand out from the land: %s', (_scheme, colors, land) => {
    for (const color of colors) expect(contrast(color, land), color).toBeGreaterThanOrEqual(3);
  });

  it('are those of speeds', () => {
    expect([0, 19.9, 20, 79, 100, 180].map(speedBand)).toEqual([0, 0, 1, 3, 5, 5]);
  });
});
