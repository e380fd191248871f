import { ignitionRule } from './ignitionChange.ts';

export const ignitionOn = ignitionRule('on');
