/**
 * The TLS certificate of the simulators, and its authority. The file imports nothing, because the declarations of the
 * package contain it.
 */
export type ServerIdentity = {
  readonly caPem: string;
  readonly certificatePem: string;
  readonly keyPem: string;
  /**
   * Host name through which other machines reach the simulators. If absent, only clients on this machine can connect.
   */
  readonly name?: string;
};
