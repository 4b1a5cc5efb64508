import type { Ids } from '../base/random.ts';

export interface Carrier {
  id: string;
  scac: string;
  name: string;
  shortName: string;
  alternatives: string[];
  /** The prefix of the carrier's bills of lading. */
  bolPrefix: string;
  tracks: { bill_of_lading: boolean; booking_number: boolean; container: boolean };
}

type Row = [scac: string, name: string, shortName: string, alternatives: string, tracks: string, bolPrefix?: string];

/**
 * The carriers of the service. `tracks` has three letters, each `y` or `n`: for bill of lading, booking number and
 * container.
 */
const CARRIERS: Row[] = [
  ['ACLU', 'Atlantic Container Line', 'ACL', '', 'yyy'],
  ['ANNU', 'Australia National Line', 'ANL', '', 'yyy', 'ANLC'],
  ['APLU', 'American President Lines', 'APL', '', 'yyy'],
  ['ARKU', 'Arkas Container Transport', 'Arkas', '', 'yyy'],
  ['CHVW', 'Swire Shipping', 'CHVW', 'QWJA PLLU', 'yyn'],
  ['CLAM', 'Crowley', 'Crowley', 'CWLQ', 'yyn'],
  ['CMDU', 'CMA CGM', 'CMA CGM', '', 'yyy'],
  ['COSU', 'COSCO', 'COSCO', '', 'yyy', 'CCMJ'],
  ['CULU', 'China United Lines', 'CULines', '', 'yyy', 'CULV'],
  ['EGLV', 'Evergreen', 'Evergreen', '', 'yyy', 'EISU'],
  ['GOSU', 'Gold Star Line', 'GSL', '', 'yyn'],
  ['HDMU', 'Hyundai Merchant Marine', 'Hyundai', '', 'yyy'],
  ['HDUJ', 'HEDE Shipping', 'HEDE', '', 'yyy'],
  ['HLCU', 'Hapag-Lloyd', 'Hapag-Lloyd', '', 'yyy'],
  ['IILU', 'Independent Container Line', 'ICL', '', 'yyn'],
  ['MAEU', 'Maersk', 'Maersk', '', 'yyy'],
  ['MATS', 'Matson Navigation Company', 'Matson', '', 'yyn'],
  ['MSCU', 'Mediterranean Shipping Company', 'MSC', 'MEDU', 'yyy', 'MEDU'],
  ['ONEY', 'Ocean Network Express', 'ONE', '', 'yyy'],
  ['OOLU', 'Orient Overseas Container Line', 'OOCL', '', 'yyy'],
  ['PCIU', 'Pacific International Lines', 'PIL', '', 'yyy', 'PABV'],
  ['SAFM', 'Safmarine Container Line', 'Safmarine Container Line', '', 'yyn'],
  ['SEAU', 'Sealand Americas', 'SeaLand Americas', 'SEAL', 'yyy'],
  ['SEJJ', 'SeaLand Europe', 'SeaLand Europe', '', 'yyy'],
  ['SMLM', 'SM Line', 'SM Line', '', 'yyy'],
  ['SMLU', 'Seaboard Marine', 'Seaboard Marine', '', 'yyy'],
  ['SQQY', 'SeaLead', 'SeaLead', 'SJHH', 'yyy'],
  ['SSBF', 'Swire', 'Swire', 'WWSU', 'yyn'],
  ['SSPH', 'Seth Shipping', 'Seth', '', 'yyn'],
  ['TEST', 'Test Carrier', 'Test line', '', 'yyn'],
  ['TJFH', 'Transfar', 'Transfar', '', 'yyn'],
  ['TRBR', 'Trailer Bridge', 'Trailer Bridge', 'TBIE PYRR', 'nyn'],
  ['TRKU', 'Turkon Line', 'Turkon', '', 'yyy'],
  ['TXZJ', 'T.S. Lines', 'TS Lines', '', 'yyy'],
  ['WDSB', 'World Direct Shipping', 'WDS', '', 'nnn'],
  ['WHLC', 'Wan Hai Lines', 'Wan Hai Lines', '', 'yyy'],
  ['YMLU', 'Yangming Marine Transport', 'Yangming', 'YMPR YMSG YMJA', 'yyy'],
  ['ZIMU', 'Zim American Integrated Shipping Services', 'Zim Line', '', 'yyy'],
];

export function createCarriers(ids: Ids): Carrier[] {
  return CARRIERS.map(([scac, name, shortName, alternatives, tracks, bolPrefix = scac]) => ({
    id: ids.of('shipping_line', scac),
    scac,
    name,
    shortName,
    alternatives: alternatives === '' ? [] : alternatives.split(' '),
    bolPrefix,
    tracks: {
      bill_of_lading: tracks[0] === 'y',
      booking_number: tracks[1] === 'y',
      container: tracks[2] === 'y',
    },
  }));
}
