import { speedChangeRule } from './speedChange.ts';

export const harshAcceleration = speedChangeRule(1);
