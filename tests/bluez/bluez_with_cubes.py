"""BlueZ with cubes, as a template of dbusmock: adapter, devices, and the GATT objects of a cube.

A cube is in range once AddCube was called; its device appears with the next discovery. The interface
org.bluez.Mock on `/` is for the test: it triggers events and returns what was written.
"""

import dbus
from dbusmock import mockobject

BUS_NAME = "org.bluez"
MAIN_OBJ = "/"
SYSTEM_BUS = False
IS_OBJECT_MANAGER = True

MOCK = "org.bluez.Mock"
ADAPTER = "org.bluez.Adapter1"
DEVICE = "org.bluez.Device1"
SERVICE = "org.bluez.GattService1"
CHARACTERISTIC = "org.bluez.GattCharacteristic1"

ADAPTER_PATH = "/org/bluez/hci0"
SERVICE_UUID = "c6f6c70f-d219-598b-fb4c-308e1f22f830"
VERSION_UUID = "450aa175-8d85-16a6-9148-d50e2eb7b79e"
UUIDS = [
    "0ea75290-6759-a58d-7948-598c4e02d94a",
    "43ef14af-5fb1-7b81-3647-2a9477824cab",
    VERSION_UUID,
    "9590ba9c-5140-92b5-1844-5f9d681557a4",
]


def load(mock, _parameters):
    mockobject.objects["/"] = mock
    mock.air = {}  # address: (name, strength)
    mock.refusals = {}  # method: name of the error
    mock.written = []
    AddAdapter(mock)
    print("ready", flush=True)


def root():
    return mockobject.objects["/"]


def object_at(path):
    return mockobject.objects.get(path)


def may(method):
    """Raises the error that the test has set for this method."""
    if method in root().refusals:
        raise dbus.exceptions.DBusException(f"{method} is refused", name=root().refusals[method])


def add(path, interface, properties, methods):
    root().AddObject(path, interface, properties, methods)
    root().object_manager_emit_added(path)


def remove(path):
    """Removes an object and all objects below it, bottom-up."""
    below = [each for each in mockobject.objects if each == path or each.startswith(path + "/")]
    for each in sorted(below, reverse=True):
        interfaces = dbus.Array(list(object_at(each).props), signature="s")
        root().RemoveObject(each)
        root().EmitSignal(
            mockobject.OBJECT_MANAGER_IFACE, "InterfacesRemoved", "oas", [dbus.ObjectPath(each), interfaces]
        )


def path_of(address):
    return f"{ADAPTER_PATH}/dev_{address.replace(':', '_')}"


def octets(value):
    return dbus.Array([dbus.Byte(octet) for octet in value], signature="y")


# The adapter


def set_discovery_filter(_adapter, wanted):
    may("SetDiscoveryFilter")
    assert wanted["Transport"] == "le"


def start_discovery(_adapter):
    may("StartDiscovery")
    for address, (name, rssi) in root().air.items():
        path = path_of(address)
        if object_at(path):
            object_at(path).UpdateProperties(DEVICE, {"RSSI": dbus.Int16(rssi)})
            continue
        properties = {
            "Address": dbus.String(address),
            "Adapter": dbus.ObjectPath(ADAPTER_PATH),
            "Name": dbus.String(name),
            "RSSI": dbus.Int16(rssi),
            "ManufacturerData": dbus.Dictionary({dbus.UInt16(7): octets(b"x")}, signature="qv"),
            "Connected": dbus.Boolean(False),
            "ServicesResolved": dbus.Boolean(False),
        }
        add(path, DEVICE, properties, [("Connect", "", "", connect), ("Disconnect", "", "", disconnect)])


def stop_discovery(_adapter):
    pass


# A device


def connect(device):
    may("Connect")
    device.UpdateProperties(DEVICE, {"Connected": dbus.Boolean(True)})
    if device.props[DEVICE]["Name"] == "Vector Cube":
        add_characteristics(device.path)
    device.UpdateProperties(DEVICE, {"ServicesResolved": dbus.Boolean(True)})


def disconnect(device):
    may("Disconnect")
    device.UpdateProperties(DEVICE, {"Connected": dbus.Boolean(False), "ServicesResolved": dbus.Boolean(False)})
    remove(device.path + "/service0010")


def add_characteristics(device):
    service = device + "/service0010"
    add(service, SERVICE, {"UUID": SERVICE_UUID, "Primary": dbus.Boolean(True)}, [])
    for number, uuid in enumerate(UUIDS):
        properties = {
            "UUID": uuid,
            "Service": dbus.ObjectPath(service),
            "Value": octets(b"1.0.0" if uuid == VERSION_UUID else b""),
            "Notifying": dbus.Boolean(False),
        }
        methods = [
            ("ReadValue", "a{sv}", "ay", read_value),
            ("WriteValue", "aya{sv}", "", write_value),
            ("StartNotify", "", "", start_notify),
        ]
        add(f"{service}/char{number:04x}", CHARACTERISTIC, properties, methods)


def read_value(characteristic, _options):
    may("ReadValue")
    value = characteristic.props[CHARACTERISTIC]["Value"]
    characteristic.UpdateProperties(CHARACTERISTIC, {"Value": value})  # as BlueZ does
    return value


def write_value(characteristic, value, _options):
    may("WriteValue")
    root().written.append((characteristic.props[CHARACTERISTIC]["UUID"], value))


def start_notify(characteristic):
    may("StartNotify")
    characteristic.UpdateProperties(CHARACTERISTIC, {"Notifying": dbus.Boolean(True)})


# For the test


@dbus.service.method(MOCK, in_signature="", out_signature="")
def AddAdapter(_self):
    methods = [
        ("SetDiscoveryFilter", "a{sv}", "", set_discovery_filter),
        ("StartDiscovery", "", "", start_discovery),
        ("StopDiscovery", "", "", stop_discovery),
    ]
    add(ADAPTER_PATH, ADAPTER, {"Powered": dbus.Boolean(True)}, methods)


@dbus.service.method(MOCK, in_signature="", out_signature="")
def RemoveAdapter(_self):
    remove(ADAPTER_PATH)


@dbus.service.method(MOCK, in_signature="b", out_signature="")
def SetPowered(_self, powered):
    object_at(ADAPTER_PATH).UpdateProperties(ADAPTER, {"Powered": dbus.Boolean(powered)})


@dbus.service.method(MOCK, in_signature="ssn", out_signature="")
def AddDevice(self, address, name, rssi):
    self.air[str(address)] = (str(name), int(rssi))


@dbus.service.method(MOCK, in_signature="s", out_signature="")
def RemoveDevice(self, address):
    del self.air[str(address)]
    remove(path_of(address))


@dbus.service.method(MOCK, in_signature="s", out_signature="")
def DropLink(_self, address):
    disconnect(object_at(path_of(address)))


@dbus.service.method(MOCK, in_signature="ss", out_signature="")
def Refuse(self, method, error):
    self.refusals[str(method)] = str(error)


@dbus.service.method(MOCK, in_signature="s", out_signature="")
def Allow(self, method):
    del self.refusals[str(method)]


@dbus.service.method(MOCK, in_signature="ssay", out_signature="")
def Notify(_self, address, uuid, value):
    for path, each in mockobject.objects.items():
        of_it = each.props.get(CHARACTERISTIC)
        if of_it and of_it["UUID"] == uuid and of_it["Notifying"] and path.startswith(path_of(address) + "/"):
            each.UpdateProperties(CHARACTERISTIC, {"Value": octets(value)})
            return
    raise dbus.exceptions.DBusException(f"nobody wants to be notified of {uuid}", name=MOCK + ".NotWanted")


@dbus.service.method(MOCK, in_signature="", out_signature="a(say)")
def Written(self):
    return self.written


@dbus.service.method(MOCK, in_signature="s", out_signature="b")
def IsConnected(_self, address):
    return object_at(path_of(address)).props[DEVICE]["Connected"]
