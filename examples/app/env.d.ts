/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The service's base address. */
  readonly VITE_LIVESTREAM_URL: string;
  /** The API key. */
  readonly VITE_LIVESTREAM_KEY: string;
  /** The mock's control API; the app shows its test encoder where this is set. */
  readonly VITE_LIVESTREAM_CONTROL_URL?: string;
  /** `worker` for a mock in the page. */
  readonly VITE_MOCK?: string;
}
