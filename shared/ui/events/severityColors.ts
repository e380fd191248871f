// The colors of severities. Each text has 4.5:1 on its background, each accent 3:1 on paper, in both schemes (tested).
import type { Severity } from '../../protocol/events/eventWords.ts';

export interface SeverityColors {
  readonly background: string;
  readonly text: string;
  /** For icons, edges, and marks of charts and maps. */
  readonly accent: string;
}

export const LIGHT_SEVERITIES: Readonly<Record<Severity, SeverityColors>> = {
  critical: { background: '#b3261e', text: '#ffffff', accent: '#b3261e' },
  major: { background: '#ffd9a8', text: '#5c3300', accent: '#b25b00' },
  minor: { background: '#fbeeb0', text: '#4a3d00', accent: '#857000' },
  info: { background: '#e3e8ee', text: '#3b4754', accent: '#5d6b7a' },
};

export const DARK_SEVERITIES: Readonly<Record<Severity, SeverityColors>> = {
  critical: { background: '#f59b94', text: '#3d0a06', accent: '#f59b94' },
  major: { background: '#6b4310', text: '#ffe0b8', accent: '#f2a549' },
  minor: { background: '#4d4413', text: '#f3e6a2', accent: '#d9c55c' },
  info: { background: '#323b45', text: '#d3dae2', accent: '#a7b1bc' },
};

/** For `sx`: the same property in both schemes. */
export function severityAccent(severity: Severity, property: 'color' | 'backgroundColor' | 'borderColor') {
  return {
    [property]: LIGHT_SEVERITIES[severity].accent,
    '@media (prefers-color-scheme: dark)': { [property]: DARK_SEVERITIES[severity].accent },
  };
}
