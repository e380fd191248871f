import { speedChangeRule } from './speedChange.ts';

export const harshBraking = speedChangeRule(-1);
