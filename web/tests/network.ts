import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A network between browser and station that can die: everything sent is then held back, and nothing is closed. */
export class Network {
  private readonly sockets = new Set<Socket>();
  private dead = false;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async to(port: number): Promise<Network> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const network = new Network(server, (server.address() as AddressInfo).port);
    server.on('connection', (near) => network.join(near, connect(port, '127.0.0.1')));
    return network;
  }

  die(): void {
    this.dead = true;
    for (const socket of this.sockets) socket.pause();
  }

  live(): void {
    this.dead = false;
    for (const socket of this.sockets) socket.resume();
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private join(near: Socket, far: Socket): void {
    for (const [from, to] of [[near, far], [far, near]] as const) {
      this.sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      if (this.dead) from.pause();
      from.on('error', () => from.destroy());
      from.on('close', () => (this.sockets.delete(from), to.destroy()));
    }
  }
}
