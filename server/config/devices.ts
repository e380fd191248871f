// Where terminals reach the gateway.
import { HOST_NAME, integer, listOf, optional, PORT, PORT_RANGE, textOf } from './valueParsers.ts';
import { variable } from './variable.ts';

export const deviceVariables = {
  jt808Port: variable({
    name: 'JT808_PORT',
    preset: '7808',
    parser: PORT,
    about: 'Port that terminals connect to (JT/T 808).',
  }),
  jt808AcknowledgedIds: variable({
    name: 'JT808_ACKNOWLEDGED_IDS',
    preset: '0506',
    parser: listOf('message IDs of four hexadecimal digits, separated by commas', /^[\da-f]{4}$/i),
    about: 'Vendor-specific terminal messages to answer with success, because some terminals disconnect otherwise.',
  }),
  jt1078Port: variable({
    name: 'JT1078_PORT',
    preset: '7078',
    parser: integer(0, 65_532),
    about: 'First of four ports for video and audio (JT/T 1078): main, sub, playback, talk. 0 takes any free ports.',
  }),
  publicHost: variable({
    name: 'PUBLIC_HOST',
    preset: '',
    parser: optional(textOf('a host name or an address', HOST_NAME)),
    about: 'Host that terminals send video and files to. Unset: the address that they connected to.',
  }),
  publicJt1078Port: variable({
    name: 'PUBLIC_JT1078_PORT',
    preset: '',
    parser: optional(integer(1, 65_532)),
    about: 'First of the four video ports as terminals see them. Unset: JT1078_PORT.',
  }),
  ftpPort: variable({
    name: 'FTP_PORT',
    preset: '7021',
    parser: PORT,
    about: 'Port that terminals upload recordings to and fetch firmware from (FTP). 0 takes any free port.',
  }),
  ftpPassivePorts: variable({
    name: 'FTP_PASSIVE_PORTS',
    preset: '7022-7041',
    parser: PORT_RANGE,
    about: 'Ports for the data connections of FTP. Each waits for one terminal at a time. 0 takes any free ports.',
  }),
  publicFtpPort: variable({
    name: 'PUBLIC_FTP_PORT',
    preset: '',
    parser: optional(integer(1, 65_535)),
    about: 'FTP_PORT as terminals see it. Unset: FTP_PORT. FTP_PASSIVE_PORTS have no other numbers for the outside.',
  }),
};
