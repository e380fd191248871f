/** Settings of a gateway in a test: on this machine alone, on ports that the system chooses. */
export const FREE_PORTS = {
  HOST: '127.0.0.1',
  PORT: '0',
  JT808_PORT: '0',
  JT1078_PORT: '0',
  ATTACHMENT_PORT: '0',
  FTP_PORT: '0',
  FTP_PASSIVE_PORTS: '0',
  LOG_LEVEL: 'silent',
} as const;
