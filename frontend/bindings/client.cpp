//===- client.cpp - the client's side for Python ----------------------------------------------===//

#include "frontend/bindings/errors.h"
#include "frontend/bindings/module.h"

#include "runtime/client/key_files.h"
#include "runtime/client/value_files.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <complex>
#include <functional>
#include <optional>
#include <type_traits>

namespace nb = nanobind;
using namespace nb::literals;

namespace sluice::python {
namespace {

using Complex = std::complex<double>;

/// An array of float64 or complex128.
class Values {
public:
  template <typename T> using Array = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;

  explicit Values(const nb::object &array) {
    if (Array<double> real; nb::try_cast(array, real, false))
      read(real);
    else if (Array<Complex> complex; nb::try_cast(array, complex, false))
      read(complex);
    else
      throw nb::type_error("an array of float64 or complex128 in C order is needed");
  }

  const client::Tensor &tensor() const { return values; }

private:
  template <typename T> void read(const Array<T> &array) {
    for (size_t axis = 0; axis < array.ndim(); ++axis)
      values.shape.push_back(array.shape(axis));
    values.isComplex = std::is_same_v<T, Complex>;
    const auto *parts = reinterpret_cast<const double *>(array.data());
    values.values.assign(parts, parts + array.size() * (values.isComplex ? 2 : 1));
  }

  client::Tensor values;
};

/// An array of float64 or complex128.
nb::object arrayOf(client::Tensor tensor) {
  std::vector<size_t> shape(tensor.shape.begin(), tensor.shape.end());
  auto *values = new std::vector<double>(std::move(tensor.values));
  nb::capsule owner(values, [](void *p) noexcept { delete static_cast<std::vector<double> *>(p); });
  return nb::cast(
      nb::ndarray<nb::numpy>(values->data(), shape.size(), shape.data(), owner, nullptr,
                             tensor.isComplex ? nb::dtype<Complex>() : nb::dtype<double>()));
}

client::Client makeClient(const nb::bytes &manifest, const std::string &name, bool insecure) {
  client::Parameters::Options options;
  options.allowInsecure = insecure;
  std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t *>(manifest.data()),
                                 manifest.size());
  return unwrap(withoutLock([&] { return client::Client::create(bytes, name, options); }));
}

Status writePublicKey(client::Client &self, std::unique_ptr<wire::Sink> sink) {
  Expected<wire::PublicKey> key = self.makePublicKey();
  if (!key)
    return key.status();
  return wire::writePublicKey(*key, self.manifest(), std::move(sink));
}

nb::bytes publicKey(client::Client &self) {
  std::vector<uint8_t> bytes;
  raiseIfFailed(withoutLock([&] { return writePublicKey(self, wire::Sink::toMemory(bytes)); }));
  return asBytes(bytes);
}

nb::bytes evaluationKeys(client::Client &self) {
  std::vector<uint8_t> bytes;
  raiseIfFailed(withoutLock([&] { return self.makeEvaluationKeys(wire::Sink::toMemory(bytes)); }));
  return asBytes(bytes);
}

using Report = nb::typed<nb::callable, void(size_t, size_t)>; // (done, total)

std::vector<std::string> saveKeys(client::Client &self, const std::string &folder, bool force,
                                  const std::optional<Report> &report) {
  client::Progress progress;
  if (report)
    progress = [&report](size_t done, size_t total) {
      nb::gil_scoped_acquire acquired;
      (*report)(done, total);
    };
  client::KeyFiles files = unwrap(withoutLock([&] {
    return client::writeKeyFiles(self, folder,
                                 force ? wire::Existing::replace : wire::Existing::keep, progress);
  }));
  return {files.secret, files.publicHalf, files.evaluation};
}

/// The values of a file, for an input of this shape.
nb::object readValues(const std::string &path, std::vector<uint64_t> shape, bool batched) {
  ManifestTensor tensor;
  tensor.shape = std::move(shape);
  tensor.batched = batched;
  return arrayOf(unwrap(withoutLock([&] { return client::readValues(path, tensor); })));
}

void writeValues(const std::string &path, const nb::object &array) {
  raiseIfFailed(client::writeValues(path, Values(array).tensor()));
}

nb::bytes encrypt(client::Client &self, uint32_t index, const nb::object &array) {
  Values values(array);
  std::vector<uint8_t> bytes;
  raiseIfFailed(withoutLock([&]() -> Status {
    Expected<wire::Ciphertext> ciphertext = self.encrypt(index, values.tensor());
    if (!ciphertext)
      return ciphertext.status();
    return wire::writeCiphertext(*ciphertext, self.manifest(), wire::Sink::toMemory(bytes));
  }));
  return asBytes(bytes);
}

/// What `how` gives for a ciphertext.
template <typename How>
nb::object decryptBy(client::Client &self, const nb::bytes &content, const std::string &name,
                     How how) {
  std::unique_ptr<wire::Source> source = memorySource(content, name);
  return arrayOf(unwrap(withoutLock([&]() -> Expected<client::Tensor> {
    Expected<wire::Ciphertext> ciphertext =
        wire::readCiphertext(std::move(source), self.manifest());
    if (!ciphertext)
      return ciphertext.status();
    return how(*ciphertext);
  })));
}

nb::object decrypt(client::Client &self, const nb::bytes &content, const std::string &name) {
  return decryptBy(self, content, name,
                   [&](const wire::Ciphertext &ciphertext) { return self.decrypt(ciphertext); });
}

nb::object decryptToShare(client::Client &self, const nb::bytes &content, const std::string &name,
                          double leastDeviation) {
  return decryptBy(self, content, name, [&](const wire::Ciphertext &ciphertext) {
    return self.decryptToShare(ciphertext, leastDeviation);
  });
}

} // namespace

void bindClient(nb::module_ &m) {
  m.def("read_values", &readValues, "path"_a, "shape"_a, "batched"_a,
        "The values of a .npy or .csv file, for an input of this shape.");
  m.def("write_values", &writeValues, "path"_a, "values"_a,
        "Writes an array of float64 or complex128 to a .npy file, or of float64 to a .csv file.");
  nb::class_<client::Client>(m, "Client", "Keys, encryption and decryption for one program.")
      .def(
          "__init__",
          [](client::Client *self, const nb::bytes &manifest, const std::string &name,
             bool insecure) { new (self) client::Client(makeClient(manifest, name, insecure)); },
          "manifest"_a, "name"_a, "insecure"_a)
      .def("generate", &client::Client::makeSecretKey, "Makes a fresh secret key.")
      .def(
          "load_key",
          [](client::Client &self, const std::string &path) {
            raiseIfFailed(client::readKeyFile(self, path, client::KeyUse::encrypt));
          },
          "path"_a,
          "Takes the key of secret.key, or of public.key, with which it can only encrypt.")
      .def("save_keys", &saveKeys, "folder"_a, "force"_a, "progress"_a.none(),
           "Writes secret.key, public.key and eval.keys and gives their paths; progress(done, "
           "total) is called after each evaluation key.")
      .def("public_key", &publicKey)
      .def("evaluation_keys", &evaluationKeys)
      .def("encrypt", &encrypt, "index"_a, "values"_a,
           "Encrypts input number `index`: values of its shape, or with a leading axis of items.")
      .def("decrypt", &decrypt, "ciphertext"_a, "name"_a,
           "The values of an output; `name` stands for the ciphertext in messages.")
      .def("decrypt_to_share", &decryptToShare, "ciphertext"_a, "name"_a, "least_deviation"_a,
           "The same with noise, counted: values that may be shown to others.")
      .def("shared_count", &client::Client::sharedCount,
           "How many decryptions were shared, as of the last one by this client.");
}

} // namespace sluice::python
