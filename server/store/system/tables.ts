export interface SystemTables {
  setting: SettingTable;
  missing_translation: MissingTranslationTable;
}

export interface SettingTable {
  name: string;
  value: string;
}

export interface MissingTranslationTable {
  language: string;
  namespace: string;
  key: string;
  first_seen_at_ms: number;
}
