import type { CssVarsTheme, Theme } from '@mui/material/styles';
import { describe, expect, test } from 'vitest';
import { theme as pageTheme } from '../../../../shared/ui/theme.ts';
import { channels, contrast } from '../../../support/colors.ts';

// The library's type leaves out what a theme with CSS variables has in addition.
const theme = pageTheme as Theme & CssVarsTheme;

describe('the theme', () => {
  test('has the breakpoints of the specification (S-9.16)', () => {
    expect(theme.breakpoints.values).toEqual({ xs: 0, sm: 576, md: 768, lg: 992, xl: 1200, xxl: 1400 });
    expect(theme.breakpoints.up('sm')).toBe('@media (min-width:576px)');
    expect(theme.breakpoints.up('xxl')).toBe('@media (min-width:1400px)');
  });

  test('fades and collapses take 300 ms (S-9.17)', () => {
    const { standard, enteringScreen, leavingScreen } = theme.transitions.duration;
    expect([standard, enteringScreen, leavingScreen]).toEqual([300, 300, 300]);
  });

  test('follows the system in light and dark', () => {
    expect(Object.keys(theme.colorSchemes).sort()).toEqual(['dark', 'light']);
    expect(theme.getColorSchemeSelector('dark')).toContain('prefers-color-scheme: dark');
  });

  test.each(['light', 'dark'] as const)('main tiles are blue and admin tiles grey in %s (S-2.2.3)', (scheme) => {
    const { main, mainHover, admin, adminHover } = theme.colorSchemes[scheme]?.palette.tile ?? {};
    for (const color of [main, mainHover]) {
      const { hue, saturation } = hueAndSaturation(color);
      expect(hue).toBeGreaterThan(195);
      expect(hue).toBeLessThan(255);
      expect(saturation).toBeGreaterThan(0.25);
    }
    for (const color of [admin, adminHover]) expect(hueAndSaturation(color).saturation).toBeLessThan(0.12);
  });

  test.each(['light', 'dark'] as const)('text on tiles has a contrast of 4.5 in %s', (scheme) => {
    const tile = theme.colorSchemes[scheme]?.palette.tile;
    for (const [back, text] of [
      [tile?.main, tile?.mainText],
      [tile?.mainHover, tile?.mainText],
      [tile?.admin, tile?.adminText],
      [tile?.adminHover, tile?.adminText],
    ]) {
      expect(contrast(back, text)).toBeGreaterThan(4.5);
    }
  });
});

/** Hue and saturation in the HSV color model. */
function hueAndSaturation(color: string | undefined): { readonly hue: number; readonly saturation: number } {
  const [red, green, blue] = channels(color);
  const max = Math.max(red, green, blue);
  const range = max - Math.min(red, green, blue);
  if (range === 0) return { hue: 0, saturation: 0 };
  const sixth =
    max === red ? ((green - blue) / range) % 6 : max === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return { hue: (sixth * 60 + 360) % 360, saturation: range / max };
}
