import type { CssVarsTheme, Theme } from '@mui/material/styles';
import { describe, expect, test } from 'vitest';
import { PALETTE } from '../../../../../pages/innerpage/eventdefine/look/palette.ts';
import { SEVERITIES } from '../../../../../shared/protocol/events/eventWords.ts';
import { DARK_SEVERITIES, LIGHT_SEVERITIES, severityAccent } from '../../../../../shared/ui/events/severityColors.ts';
import { theme as pageTheme } from '../../../../../shared/ui/theme.ts';
import { contrast } from '../../../../support/colors.ts';

// The library's type leaves out what a theme with CSS variables has besides.
const { colorSchemes } = pageTheme as Theme & CssVarsTheme;
const papers = (scheme: 'light' | 'dark') => {
  const background = colorSchemes[scheme]?.palette.background;
  return [background?.default, background?.paper];
};

describe.each([
  ['light', LIGHT_SEVERITIES],
  ['dark', DARK_SEVERITIES],
] as const)('severities in %s', (scheme, colors) => {
  test.each(SEVERITIES)('%s has a text and an accent that can be seen', (severity) => {
    const { background, text, accent } = colors[severity];
    expect(contrast(background, text)).toBeGreaterThan(4.5);
    for (const paper of papers(scheme)) expect(contrast(accent, paper)).toBeGreaterThan(3);
  });
});

test('an accent follows the scheme', () => {
  expect(severityAccent('critical', 'color')).toEqual({
    color: LIGHT_SEVERITIES.critical.accent,
    '@media (prefers-color-scheme: dark)': { color: DARK_SEVERITIES.critical.accent },
  });
});

test.each(Object.entries(PALETTE))('%s of the palette can be seen in both schemes', (_name, color) => {
  for (const paper of [...papers('light'), ...papers('dark')]) expect(contrast(color, paper)).toBeGreaterThan(3);
});
