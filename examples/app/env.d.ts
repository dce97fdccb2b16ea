/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The service's base URL. */
  readonly VITE_LIVESTREAM_URL: string;
  /** The API key. */
  readonly VITE_LIVESTREAM_KEY: string;
  /** The mock's control API. If this is set, the app shows its test encoder. */
  readonly VITE_LIVESTREAM_CONTROL_URL?: string;
  /** `worker` for a mock in the page. */
  readonly VITE_MOCK?: string;
}
