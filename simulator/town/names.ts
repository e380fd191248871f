// The names of things in the demo's town, in the languages of the pages. Pure.

export interface Names {
  readonly en: string;
  readonly zh: string;
  readonly ja: string;
}

const names = (en: string, zh: string, ja: string): Names => ({ en, zh, ja });

export const TOWN = names('Mirror Lake Town', '鏡湖鎮', '鏡湖町');
export const LAKE = names('Mirror Lake', '鏡湖', '鏡湖');
export const RIVER = names('Clear River', '清溪', '清川');

export const ROADS = {
  expressway: names('Lake Expressway', '鏡湖快速道路', '鏡湖自動車道'),
  ring: names('Ring Road', '環城路', '環状通り'),
  central: names('Central Avenue', '中央大道', '中央大通り'),
  station: names('Station Street', '車站路', '駅前通り'),
  lakeshore: names('Lakeshore Road', '環湖路', '湖岸通り'),
  pier: names('Pier Street', '碼頭街', '桟橋通り'),
  park: names('Park Road', '公園路', '公園通り'),
  depot: names('Depot Road', '車庫路', '車庫通り'),
  university: names('University Road', '大學路', '大学通り'),
} as const;

/** Names of the small streets that run from south to north. */
export const TREES: readonly Names[] = [
  names('Maple Street', '楓樹街', '楓通り'),
  names('Pine Street', '松樹街', '松通り'),
  names('Cedar Street', '杉樹街', '杉通り'),
  names('Willow Street', '柳樹街', '柳通り'),
  names('Plum Street', '梅花街', '梅通り'),
  names('Bamboo Street', '竹林街', '竹通り'),
  names('Camphor Street', '樟樹街', '楠通り'),
  names('Cherry Street', '櫻花街', '桜通り'),
  names('Orchid Street', '蘭花街', '蘭通り'),
  names('Lotus Street', '荷花街', '蓮通り'),
  names('Ginkgo Street', '銀杏街', '銀杏通り'),
  names('Azalea Street', '杜鵑街', 'つつじ通り'),
  names('Banyan Street', '榕樹街', '榕通り'),
  names('Cypress Street', '柏樹街', '檜通り'),
  names('Peach Street', '桃花街', '桃通り'),
  names('Osmanthus Street', '桂花街', '桂通り'),
  names('Camellia Street', '茶花街', '椿通り'),
  names('Elm Street', '榆樹街', '楡通り'),
  names('Oak Street', '橡樹街', '樫通り'),
  names('Acacia Street', '相思街', 'アカシア通り'),
  names('Magnolia Street', '木蘭街', '木蓮通り'),
];

/** Name of a small street that runs from west to east; these are counted from the south. */
export function numberedStreet(number: number): Names {
  return names(`${number}${ordinalEnding(number)} Street`, `第${number}街`, `${number} 番通り`);
}

function ordinalEnding(number: number): string {
  if (number >= 11 && number <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][number % 10] ?? 'th';
}

export const QUARTERS = {
  north: names('North Quarter', '北區', '北区'),
  old: names('Old Town', '老街區', '旧市街'),
  lakeside: names('Lakeside', '湖濱', '湖畔'),
  east: names('East Quarter', '東區', '東区'),
  works: names('Works Quarter', '工業區', '工業区'),
} as const;

export const PLACES = {
  park: names('Central Park', '中央公園', '中央公園'),
  shore: names('Lakeshore Park', '湖濱公園', '湖畔公園'),
  station: names('Mirror Lake Station', '鏡湖車站', '鏡湖駅'),
  depot: names('Lake Line depot', '湖線機廠', 'レイクライン車庫'),
  hospital: names('Town Hospital', '鎮立醫院', '町立病院'),
  school: names('Lakeside School', '湖濱國小', '湖畔小学校'),
  university: names('Mirror Lake University', '鏡湖大學', '鏡湖大学'),
} as const;
