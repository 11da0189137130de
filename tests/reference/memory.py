"""Bytes at addresses."""

from dataclasses import dataclass

SHARED_WINDOW_BYTES = 1 << 24
DEFAULT_SHARED_WINDOW = 0x7FFF_0000_0000


@dataclass(repr=False)
class Memory:
    """One run of bytes; `base` is the address of the first."""

    data: bytearray
    base: int = 0

    def __repr__(self) -> str:
        return f"Memory of {len(self.data)} bytes at {self.base:#x}"

    def holds(self, address: int, width: int) -> bool:
        """Whether all bytes of the access exist. Addresses do not wrap: past the end is outside."""
        return self.base <= address and address + width <= self.base + len(self.data)

    def read(self, address: int, width: int) -> bytes:
        """The bytes of an access, all of which must exist."""
        assert self.holds(address, width)
        return bytes(self.data[address - self.base : address - self.base + width])

    def write(self, address: int, content: bytes) -> None:
        """Put bytes where all of them exist."""
        assert self.holds(address, len(content))
        self.data[address - self.base : address - self.base + len(content)] = content


@dataclass
class AddressSpace:
    """Shared and global memory, by generic addresses."""

    shared: Memory
    global_: Memory | None = None
    shared_window: int = DEFAULT_SHARED_WINDOW


def resolve(memory: Memory | AddressSpace, space: str, address: int) -> tuple[Memory | None, int]:
    """The memory that an address lies in, and the address there; None: it lies nowhere.

    PTX "Generic Addressing": shared is a window, whose base is subtracted; what is in no window
    is global. An address belongs where it starts.
    """
    if isinstance(memory, Memory):
        return memory, address
    if space:
        return memory.shared, address
    offset = address - memory.shared_window
    if 0 <= offset < SHARED_WINDOW_BYTES:
        return memory.shared, offset
    if memory.global_ is not None and memory.global_.holds(address, 1):
        return memory.global_, address
    return None, address


def found(memory: Memory | AddressSpace, space: str, address: int) -> tuple[Memory, int]:
    """As resolve, for addresses that are known to lie somewhere."""
    where, inside = resolve(memory, space, address)
    assert where is not None
    return where, inside
