import { ignitionRule } from './ignitionChange.ts';

export const ignitionOff = ignitionRule('off');
