/** A folder, or a file, by its path from the root of the repository. */
type Place = string;

/** What the files of a place may import, besides each other. */
export interface Layer {
  readonly place: Place;
  readonly mayImport: readonly Place[];
  /** Places within those that it may not import. */
  readonly except?: readonly Place[];
  readonly because: string;
}

const everywhere = ['text', 'package.json'];
const shapes = [...everywhere, 'interface', 'fixtures'];
const records = [...shapes, 'mocks/messages', 'mocks/state'];
const effects = [...records, 'mocks/media', 'mocks/faults', 'mocks/journal'];
const service = [...effects, 'mocks/service'];
const stores = [...service, 'mocks/stores'];
const http = [...stores, 'mocks/http'];

/** What describes the mock in code, and would make the suite inherit its mistakes. */
const ownDescriptions = ['interface/schemas.ts', 'interface/operations.ts'];

/** From the ground up. A file belongs to the longest place that its path begins with. */
export const layers: readonly Layer[] = [
  { place: 'text', mayImport: [], because: 'every layer may import it' },
  {
    place: 'interface',
    mayImport: [],
    except: ['interface/dialect'],
    because: 'the interface knows no dialect',
  },
  {
    place: 'interface/dialect',
    mayImport: ['interface', 'text'],
    because: 'a dialect describes the interface alone',
  },
  { place: 'fixtures', mayImport: ['interface'], because: 'data comes before what uses it' },
  { place: 'mocks/messages', mayImport: records, because: 'it is below media and service' },
  { place: 'mocks/state', mayImport: records, because: 'it is below media and service' },
  { place: 'mocks/media', mayImport: effects, because: 'it is below the service' },
  { place: 'mocks/faults', mayImport: effects, because: 'it is below the service' },
  { place: 'mocks/journal', mayImport: effects, because: 'it is below the service' },
  { place: 'mocks/service', mayImport: service, because: 'it knows no store and no HTTP' },
  { place: 'mocks/stores', mayImport: stores, because: 'it knows no HTTP' },
  { place: 'mocks/http', mayImport: http, because: 'it knows no adapter' },
  { place: 'mocks/variants', mayImport: http, because: 'it knows no adapter' },
  {
    place: 'mocks',
    mayImport: shapes,
    except: ['mocks/adapters', 'mocks/dashboard'],
    because: 'the mock itself has no adapter and no page',
  },
  {
    place: 'mocks/adapters',
    mayImport: ['mocks', ...shapes],
    except: ['mocks/dashboard'],
    because: 'an adapter is above the mock, and below every tool',
  },
  {
    place: 'mocks/dashboard',
    mayImport: [
      ...everywhere,
      'interface',
      'mocks/faults',
      'mocks/journal',
      'mocks/messages/tester-request.ts',
      'mocks/state/ingest.ts',
      'mocks/state/known-world.ts',
      'mocks/state/moment.ts',
    ],
    because: 'a page knows the mock by its control API',
  },
  {
    place: 'target',
    mayImport: [...everywhere, 'interface'],
    except: ownDescriptions,
    because: 'a target is known by HTTP alone',
  },
  {
    place: 'conformance',
    mayImport: [...everywhere, 'interface', 'target'],
    except: ownDescriptions,
    because: 'the suite knows a target by HTTP alone',
  },
  {
    place: 'conformance/mutants',
    mayImport: [...shapes, 'mocks', 'target', 'conformance'],
    because: 'mutants are mocks that the suite judges',
  },
  {
    place: 'conformance/clients',
    mayImport: [...shapes, 'mocks', 'target', 'conformance'],
    because: 'it runs mocks, and reports as the suite does',
  },
  {
    place: 'fidelity',
    mayImport: [...shapes, 'mocks', 'target', 'conformance'],
    because: 'it is below the commands',
  },
  {
    place: 'commands',
    mayImport: [...shapes, 'mocks', 'target', 'conformance', 'fidelity'],
    because: 'what is shipped imports nothing from bench, tools and examples',
  },
  {
    place: 'examples',
    mayImport: [],
    because: 'examples import the package by its name, as its users do',
  },
];

/** The layer of a file; `undefined` if the file may import whatever it likes. */
export function layerOf(file: string): Layer | undefined {
  return layers
    .filter(({ place }) => isIn(file, place))
    .reduce<Layer | undefined>(
      (longest, layer) => (layer.place.length > (longest?.place.length ?? 0) ? layer : longest),
      undefined,
    );
}

/** Why a file must not import another, in a sentence; `undefined` if it may. */
export function refusalOfImport(file: string, imported: string): string | undefined {
  const layer = layerOf(file);
  if (layer === undefined) return undefined;
  const { place, mayImport, except = [], because } = layer;
  const isOwn = isIn(imported, place);
  const isAllowed = isOwn || mayImport.some((allowed) => isIn(imported, allowed));
  if (isAllowed && !except.some((refused) => isIn(imported, refused))) return undefined;
  return `${file} must not import ${imported}: ${because}`;
}

function isIn(file: string, place: Place): boolean {
  return file === place || file.startsWith(`${place}/`);
}
