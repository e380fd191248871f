/** Texts of the track spreadsheet: its name and its columns. Keys of translations (TrackSheet.json). */
export const TRACK_SHEET_TEXTS = [
  ...(['Track', 'Time', 'Device time', 'Received at', 'Latitude', 'Longitude', 'GPS fix', 'Speed (km/h)'] as const),
  ...(['Heading (°)', 'Altitude (m)', 'Ignition', 'Odometer (km)', 'Fuel (L)', 'Cabin (°C)', 'Signal'] as const),
  ...(['Sent later', 'Yes', 'No'] as const),
] as const;
export type TrackSheetText = (typeof TRACK_SHEET_TEXTS)[number];
