import { defined } from '../base/checks.ts';
import type { Ids } from '../base/random.ts';

export interface Port {
  type: 'port';
  id: string;
  /** UN/LOCODE. */
  code: string;
  name: string;
  stateAbbr: string | null;
  state: string | null;
  countryCode: string;
  country: string;
  latitude: number;
  longitude: number;
  timeZone: string;
  terminals: Terminal[];
}

export interface MetroArea {
  type: 'metro_area';
  id: string;
  /** UN/LOCODE. */
  code: string;
  name: string;
  stateAbbr: string | null;
  countryCode: string;
  latitude: number;
  longitude: number;
  timeZone: string;
}

export type Place = Port | MetroArea;

export interface Terminal {
  id: string;
  name: string;
  nickname: string;
  firmsCode: string;
  street: string | null;
  city: string;
  zip: string;
  facilityType: 'ocean_terminal' | 'rail';
  port: Port;
  /** True if the terminal reports availability, holds, fees and last free days. */
  reports: boolean;
}

type PortRow = [
  code: string,
  name: string,
  state: string | null,
  stateAbbr: string | null,
  country: string,
  latitude: number,
  longitude: number,
  timeZone: string,
];

const PORTS: PortRow[] = [
  ['CNSHA', 'Shanghai', 'Shanghai', 'SH', 'China', 31.36636, 121.6147, 'Asia/Shanghai'],
  ['CNNGB', 'Ningbo', 'Zhejiang', 'ZJ', 'China', 29.868336, 121.543991, 'Asia/Shanghai'],
  ['CNYTN', 'Yantian', 'Guangdong', 'GD', 'China', 22.57441, 114.27034, 'Asia/Shanghai'],
  ['CNTAO', 'Qingdao', 'Shandong', 'SD', 'China', 36.01802, 120.22105, 'Asia/Shanghai'],
  ['CNXMN', 'Xiamen', 'Fujian', 'FJ', 'China', 24.45224, 118.07095, 'Asia/Shanghai'],
  ['HKHKG', 'Hong Kong', null, null, 'Hong Kong', 22.33614, 114.12832, 'Asia/Hong_Kong'],
  ['KRPUS', 'Busan', 'Busan', '26', 'South Korea', 35.10278, 129.04028, 'Asia/Seoul'],
  ['TWKHH', 'Kaohsiung', 'Kaohsiung', 'KHH', 'Taiwan', 22.56551, 120.30502, 'Asia/Taipei'],
  ['VNVUT', 'Vung Tau', null, '43', 'Vietnam', 10.52863, 107.02974, 'Asia/Ho_Chi_Minh'],
  ['THLCH', 'Laem Chabang', 'Chon Buri', '20', 'Thailand', 13.08271, 100.8833, 'Asia/Bangkok'],
  ['IDJKT', 'Jakarta', 'Jakarta', 'JK', 'Indonesia', -6.10445, 106.88658, 'Asia/Jakarta'],
  ['SGSIN', 'Singapore', null, null, 'Singapore', 1.264, 103.82, 'Asia/Singapore'],
  ['MYPKG', 'Port Klang', 'Selangor', '10', 'Malaysia', 2.99962, 101.39181, 'Asia/Kuala_Lumpur'],
  ['INNSA', 'Nhava Sheva', 'Maharashtra', 'MH', 'India', 18.94993, 72.95121, 'Asia/Calcutta'],
  ['INMUN', 'Mundra', 'Gujarat', 'GJ', 'India', 22.73868, 69.70957, 'Asia/Calcutta'],
  ['LKCMB', 'Colombo', null, null, 'Sri Lanka', 6.94974, 79.84489, 'Asia/Colombo'],
  ['TRAMB', 'Ambarli', 'Istanbul', '34', 'Turkey', 40.96667, 28.68917, 'Europe/Istanbul'],
  ['ITGOA', 'Genoa', 'Liguria', 'GE', 'Italy', 44.40139, 8.90951, 'Europe/Rome'],
  ['ESVLC', 'Valencia', 'Valencia', 'V', 'Spain', 39.44268, -0.31683, 'Europe/Madrid'],
  ['ESALG', 'Algeciras', 'Cadiz', 'CA', 'Spain', 36.14082, -5.43836, 'Europe/Madrid'],
  ['DEHAM', 'Hamburg', 'Hamburg', 'HH', 'Germany', 53.5304, 9.90577, 'Europe/Berlin'],
  ['NLRTM', 'Rotterdam', 'South Holland', 'ZH', 'Netherlands', 51.94961, 4.14532, 'Europe/Amsterdam'],
  ['BEANR', 'Antwerp', 'Antwerp', 'VAN', 'Belgium', 51.27634, 4.33702, 'Europe/Brussels'],
  ['GBFXT', 'Felixstowe', 'Suffolk', 'SFK', 'United Kingdom', 51.95543, 1.30603, 'Europe/London'],
  ['BRSSZ', 'Santos', 'Sao Paulo', 'SP', 'Brazil', -23.95351, -46.30918, 'America/Sao_Paulo'],
  ['COCTG', 'Cartagena', 'Bolivar', 'BOL', 'Colombia', 10.40681, -75.52838, 'America/Bogota'],
  ['USLAX', 'Los Angeles', 'California', 'CA', 'United States', 33.74537, -118.2737, 'America/Los_Angeles'],
  ['USLGB', 'Long Beach', 'California', 'CA', 'United States', 33.75421, -118.21648, 'America/Los_Angeles'],
  ['USOAK', 'Oakland', 'California', 'CA', 'United States', 37.7957, -122.3118, 'America/Los_Angeles'],
  ['USTIW', 'Tacoma', 'Washington', 'WA', 'United States', 47.27021, -122.41402, 'America/Los_Angeles'],
  ['USNYC', 'New York', 'New York', 'NY', 'United States', 40.66812, -74.14221, 'America/New_York'],
  ['USORF', 'Norfolk', 'Virginia', 'VA', 'United States', 36.93118, -76.32549, 'America/New_York'],
  ['USCHS', 'Charleston', 'South Carolina', 'SC', 'United States', 32.83179, -79.89893, 'America/New_York'],
  ['USSAV', 'Savannah', 'Georgia', 'GA', 'United States', 32.1289, -81.141, 'America/New_York'],
  ['USHOU', 'Houston', 'Texas', 'TX', 'United States', 29.67838, -94.99021, 'America/Chicago'],
  ['USCHI', 'Chicago', 'Illinois', 'IL', 'United States', 41.85003, -87.65005, 'America/Chicago'],
  ['USMEM', 'Memphis', 'Tennessee', 'TN', 'United States', 35.14953, -90.04898, 'America/Chicago'],
  ['USDAL', 'Dallas', 'Texas', 'TX', 'United States', 32.78306, -96.80667, 'America/Chicago'],
  ['USATL', 'Atlanta', 'Georgia', 'GA', 'United States', 33.749, -84.38798, 'America/New_York'],
];

type MetroRow = [
  code: string,
  name: string,
  stateAbbr: string | null,
  latitude: number,
  longitude: number,
  timeZone: string,
];

const METRO_AREAS: MetroRow[] = [
  ['USEWI', 'Elwood', 'IL', 41.4039201, -88.1117242, 'America/Chicago'],
  ['CNHGH', 'Hangzhou', 'ZJ', 30.29365, 120.16142, 'Asia/Shanghai'],
  ['CNSZH', 'Suzhou', 'JS', 31.30408, 120.59538, 'Asia/Shanghai'],
  ['CNDGG', 'Dongguan', 'GD', 23.01797, 113.74866, 'Asia/Shanghai'],
  ['KRSEL', 'Seoul', '11', 37.566, 126.9784, 'Asia/Seoul'],
  ['INPNQ', 'Pune', 'MH', 18.51957, 73.85535, 'Asia/Calcutta'],
  ['DEHAJ', 'Hannover', 'NI', 52.37052, 9.73322, 'Europe/Berlin'],
];

type TerminalRow = [
  port: string,
  nickname: string,
  name: string,
  firmsCode: string,
  street: string | null,
  city: string,
  zip: string,
];

/**
 * The terminals of each port. Terminals in the United States report availability. Rail facilities are in another table.
 */
const OCEAN_TERMINALS: TerminalRow[] = [
  ['USLAX', 'WBCT', 'West Basin Container Terminal', 'Y773', '2050 John S. Gibson Blvd', 'San Pedro', '90731'],
  ['USLAX', 'APM', 'APM Terminals Pier 400', 'W185', '2500 Navy Way', 'San Pedro', '90731'],
  ['USLAX', 'TraPac', 'TraPac Los Angeles', 'Y258', '630 W Harry Bridges Blvd', 'Wilmington', '90744'],
  ['USLGB', 'LBCT', 'Long Beach Container Terminal', 'Z952', '201 S Pico Ave', 'Long Beach', '90802'],
  ['USLGB', 'TTI', 'Total Terminals International', 'Z978', '301 Hanjin Rd', 'Long Beach', '90802'],
  ['USOAK', 'OICT', 'Oakland International Container Terminal', 'Z985', '1717 Middle Harbor Rd', 'Oakland', '94607'],
  ['USTIW', 'Husky', 'Husky Terminal', 'Z986', '1101 Port of Tacoma Rd', 'Tacoma', '98421'],
  ['USNYC', 'PNCT', 'Port Newark Container Terminal', 'F577', '241 Calcutta St', 'Newark', '07114'],
  ['USNYC', 'Maher', 'Maher Terminals', 'E416', '1210 Corbin St', 'Elizabeth', '07201'],
  ['USORF', 'NIT', 'Norfolk International Terminals', 'M124', '7737 Hampton Blvd', 'Norfolk', '23505'],
  ['USCHS', 'WWT', 'Wando Welch Terminal', 'N156', '400 Long Point Rd', 'Mount Pleasant', '29464'],
  ['USSAV', 'GCT', 'Garden City Terminal', 'L737', '2 Main Street', 'Garden City', '31408'],
  ['USHOU', 'BCT', 'Barbours Cut Terminal', 'S787', '1515 E Barbours Cut Blvd', 'La Porte', '77571'],
  ['DEHAM', 'CTA', 'Container Terminal Altenwerder', 'DE01', 'Am Ballinkai 1', 'Hamburg', '21129'],
  ['NLRTM', 'ECT', 'ECT Delta Terminal', 'NL01', 'Europaweg 875', 'Rotterdam', '3199'],
  ['BEANR', 'MPET', 'MSC PSA European Terminal', 'BE01', 'Kaai 1742', 'Antwerp', '9130'],
  ['GBFXT', 'Trinity', 'Trinity Terminal', 'GB01', 'Tomline House', 'Felixstowe', 'IP11 3SY'],
  ['CNNGB', 'NBCT', 'Ningbo Beilun Container Terminal', 'CN01', null, 'Ningbo', '315800'],
];

const RAIL_FACILITIES: TerminalRow[] = [
  ['USCHI', 'BNSF LPC', 'BNSF - Logistics Park Chicago', 'H572', null, 'Elwood', '60421'],
  ['USCHI', 'UP G4', 'UP - Global IV', 'HBT1', null, 'Joliet', '60421'],
  ['USMEM', 'BNSF MEM', 'BNSF - Memphis Intermodal', 'K721', null, 'Memphis', '38118'],
  ['USDAL', 'UP DIT', 'UP - Dallas Intermodal Terminal', 'S984', null, 'Wilmer', '75172'],
  ['USATL', 'NS AUS', 'NS - Austell', 'L883', null, 'Austell', '30106'],
  ['USATL', 'CSX FAI', 'CSX - Fairburn', 'L902', null, 'Fairburn', '30213'],
];

export interface Places {
  ports: Port[];
  metroAreas: MetroArea[];
  terminals: Terminal[];
  /** Returns the port with this UN/LOCODE. */
  port(code: string): Port;
  metroArea(code: string): MetroArea;
  terminal(nickname: string): Terminal;
}

export function createPlaces(ids: Ids): Places {
  const ports = PORTS.map(
    ([code, name, state, stateAbbr, country, latitude, longitude, timeZone]): Port => ({
      type: 'port',
      id: ids.of('port', code),
      code,
      name,
      state,
      stateAbbr,
      countryCode: code.slice(0, 2),
      country,
      latitude,
      longitude,
      timeZone,
      terminals: [],
    }),
  );
  const metroAreas = METRO_AREAS.map(
    ([code, name, stateAbbr, latitude, longitude, timeZone]): MetroArea => ({
      type: 'metro_area',
      id: ids.of('metro_area', code),
      code,
      name,
      stateAbbr,
      countryCode: code.slice(0, 2),
      latitude,
      longitude,
      timeZone,
    }),
  );

  const port = (code: string) => found(ports, code, item => item.code);
  const terminals = [
    ...OCEAN_TERMINALS.map(row => terminal(row, 'ocean_terminal')),
    ...RAIL_FACILITIES.map(row => terminal(row, 'rail')),
  ];

  function terminal([code, nickname, name, ...rest]: TerminalRow, facilityType: Terminal['facilityType']): Terminal {
    const [firmsCode, street, city, zip] = rest;
    const its = port(code);
    const reports = facilityType === 'ocean_terminal' && its.countryCode === 'US';
    const id = ids.of('terminal', nickname, code);
    const made = { id, name, nickname, firmsCode, street, city, zip, facilityType, port: its, reports };
    its.terminals.push(made);
    return made;
  }

  return {
    ports,
    metroAreas,
    terminals,
    port,
    metroArea: code => found(metroAreas, code, item => item.code),
    terminal: nickname => found(terminals, nickname, item => item.nickname),
  };
}

function found<T>(list: T[], key: string, keyOf: (item: T) => string): T {
  return defined(list.find(candidate => keyOf(candidate) === key));
}
