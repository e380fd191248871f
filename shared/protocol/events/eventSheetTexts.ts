/** Texts of the events spreadsheet: its name and its columns. Keys of translations (EventSheet.json). */
export const EVENT_SHEET_TEXTS = [
  ...(['Events', 'Event ID', 'Start', 'End', 'Type', 'Severity', 'Status', 'Device ID', 'Device'] as const),
  ...(['Plate number', 'Group', 'Driver', 'Channel or part', 'Value', 'Limit', 'Unit', 'Occurrences'] as const),
  ...(['Speed (km/h)', 'Latitude', 'Longitude', 'Reported by', 'Late', 'Assignee', 'Reason', 'Closed at'] as const),
] as const;
export type EventSheetText = (typeof EVENT_SHEET_TEXTS)[number];
