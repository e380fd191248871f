// Texts of data usage as a file, of the namespace NetflowSheet.
export const NETFLOW_SHEET_TEXTS = [
  'Data usage',
  'Device ID',
  'Device',
  'Plate number',
  'Group',
  'From',
  'To',
  'Received (MB)',
  'Sent (MB)',
  'Today (MB)',
  'Forecast (MB)',
  'Data plan',
  'Plan (MB)',
  'Phone number',
  'ICCID',
  'Expiry date',
] as const;
export type NetflowSheetText = (typeof NETFLOW_SHEET_TEXTS)[number];
