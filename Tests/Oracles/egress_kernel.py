"""What the kernel sends in this network namespace, seen by a packet socket."""
import os
import socket
import struct
import threading

SOL_PACKET, PACKET_STATISTICS, OUTGOING = 263, 6, 4


class Seen:
    def __init__(self):
        # Ports of this side, by (address, port) of the other: one for each connection that was begun.
        self.connections = {}
        # Bytes within TCP, by the same.
        self.up, self.down = {}, {}
        # Asked of a resolver.
        self.names = set()
        # Whatever else went out.
        self.stray = []
        # Ports of loopback that were connected to.
        self.local = set()

    @property
    def anything(self):
        return bool(self.connections or self.names or self.stray or sum(self.up.values()))

    def __repr__(self):
        return f"{self.connections} {self.names} {self.stray[:5]} loopback {sorted(self.local)}"


class Kernel:
    def __init__(self):
        # Without the frame's header; 3 is every protocol.
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
        for option in (33, socket.SO_RCVBUF):  # 33 is SO_RCVBUFFORCE, which root alone may set
            try:
                self.socket.setsockopt(socket.SOL_SOCKET, option, 1 << 26)
                break
            except PermissionError:
                continue
        self.lock = threading.Condition()
        self.seen, self.marks = Seen(), set()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            packet, (interface, protocol, kind, *_) = self.socket.recvfrom(512)
            with self.lock:
                self.take(packet, interface, protocol, kind == OUTGOING)
                self.lock.notify_all()

    def take(self, packet, interface, protocol, out):
        if protocol == 0x0806:
            return
        if protocol == 0x86DD:
            # The kernel's own: neighbours and multicast groups.
            if packet[6] not in (0, 58) and out:
                self.seen.stray.append(f"IPv6 {packet[6]} on {interface}")
            return
        if protocol != 0x0800:
            return self.seen.stray.append(f"protocol {protocol:x}") if out else None
        length, (total,) = (packet[0] & 15) * 4, struct.unpack("!H", packet[2:4])
        there = socket.inet_ntoa(packet[16:20] if out else packet[12:16])
        data = packet[length:]
        here_port, there_port = struct.unpack("!HH", data[:4]) if out else struct.unpack("!HH", data[:4])[::-1]
        if packet[9] == socket.IPPROTO_TCP:
            begins = out and data[13] & 0x12 == 0x02
            if interface == "lo":
                if begins:
                    self.seen.local.add(there_port)
                return
            place = (there, there_port)
            if begins:
                self.seen.connections.setdefault(place, set()).add(here_port)
            moved = self.seen.up if out else self.seen.down
            moved[place] = moved.get(place, 0) + total - length - (data[12] >> 4) * 4
        elif out and packet[9] == socket.IPPROTO_UDP:
            if interface == "lo":
                self.marks.add(data[8:])
            elif there_port == 53:
                self.seen.names.add(self.name(data[8:]))
            else:
                self.seen.stray.append(f"UDP to {there}:{there_port}")
        elif out and interface != "lo":
            self.seen.stray.append(f"IP protocol {packet[9]} to {there}")

    @staticmethod
    def name(message):
        """Of a question: labels after a header of twelve bytes."""
        labels, place = [], 12
        while message[place]:
            labels.append(message[place + 1:place + 1 + message[place]].decode())
            place += 1 + message[place]
        return ".".join(labels)

    def since(self):
        """What was seen since the last call. A datagram of ours over loopback tells that all before it is seen."""
        mark = os.urandom(16)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(mark, ("127.0.0.1", 9))
        with self.lock:
            if not self.lock.wait_for(lambda: mark in self.marks, 10):
                raise RuntimeError("the packet socket sees nothing")
            seen, self.seen = self.seen, Seen()
            self.marks.clear()
        return seen

    def dropped(self):
        """Packets that the socket had no room for, since the last call."""
        _, dropped = struct.unpack("II", self.socket.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))
        return dropped
