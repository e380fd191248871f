// Data usage of devices.
import { integer } from './valueParsers.ts';
import { variable } from './variable.ts';

export const netflowVariables = {
  netflowOverheadPercent: variable({
    name: 'NETFLOW_OVERHEAD_PERCENT',
    preset: '4',
    parser: integer(0, 100),
    about:
      'Percent that the network adds to the data that devices transfer. Usage is shown, and compared with data plans, including it.',
  }),
};
